"""Settings, and models that are right or wrong in them."""

from typing import Any

from attrs import evolve
from hypothesis import strategies as st

from coc_check.fuzz.case import places, setting_at
from coc_check.fuzz.strategies import some_flaws, wrong_responses
from coc_check.scripted import ScriptedPolicy
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_core.types import Limits

LOOK = 64  # steps of a run in which wrong targets are looked for


def settings(
    registry: Registry,
    domain: str | None = None,
    memory: str | None = None,
    arith: str | None = None,
    limits: Limits = Limits(steps=2_000),
) -> st.SearchStrategy[Setting]:
    """Settings of a domain, a memory and an arithmetic that go together.

    Args:
        registry: Where the parts are found.
        domain: The name of the domain; by default any, and the same for `memory` and `arith`.
        memory: The name of the memory.
        arith: The name of the arithmetic. One that calls a model gets exact results.
        limits: Caps on a run.

    Raises:
        UsageError: There is no such part, or nothing goes together.
    """
    return st.sampled_from(places(registry, domain, memory, arith)).map(lambda it: setting_at(registry, it, limits))


def models(setting: Setting, problem: Any) -> st.SearchStrategy[ScriptedPolicy]:
    """Models that are right, or wrong at up to three prompts of a problem's run.

    A wrong response is another prompt's target, a damaged or hostile text, or logits that are not finite. It depends on
    the prompt alone, so all executors get the same. The smallest model is right.
    """
    return _models(setting, problem, 0)


def flawed_models(setting: Setting, problem: Any) -> st.SearchStrategy[ScriptedPolicy]:
    """Return those of `models` that have a wrong response. Its `responses` has the wrong texts of each prompt.

    Example:
        >>> from hypothesis import find
        >>> from coc_core.plugin import Registry
        >>> setting = Setting.of(Registry.installed(), "hanoi", "pda", "symbolic")
        >>> model = find(flawed_models(setting, setting.domain.problem(2)), lambda model: True)
        >>> model
        ScriptedPolicy({'INSTR CALL n=2 src=1 dst=3 aux=2': ('EMIT Move disk 1 from 1 to 2',)})
    """
    return _models(setting, problem, 1).filter(lambda model: bool(model.responses))


def _models(setting: Setting, problem: Any, fewest: int) -> st.SearchStrategy[ScriptedPolicy]:
    short = evolve(setting, limits=evolve(setting.limits, steps=LOOK))
    flaws = some_flaws(1, fewest)
    return flaws.map(lambda drawn: ScriptedPolicy(setting.convention, wrong_responses(short, [problem], drawn)))
