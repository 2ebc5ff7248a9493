"""Where a case takes place, and what is asked there: the parts, made anew as often as they are needed."""

from typing import Any

from attrs import evolve

from coc_core.domain import parse_problem
from coc_core.execution import Listener, StepRecord
from coc_core.models import Model
from coc_core.plugin import ArithmeticSpec, Registry
from coc_core.setting import Setting
from coc_core.testing.fuzz.case import Case
from coc_core.testing.fuzz.script import FickleScript, Script
from coc_core.testing.fuzz.trace import Trace
from coc_core.testing.plain import run_plainly

_QUESTIONS = 200
"""For each step and problem, how many answers an executor may ask for: it may look far ahead, again and again."""


def setting_of(registry: Registry, case: Case, most_steps: int | None = None) -> Setting:
    """The setting of a case, by default with the case's own limit on the steps; a model of sums is a right one."""
    limits = case.limits if most_steps is None else evolve(case, most_steps=most_steps).limits
    asked = "reference" if registry.find(ArithmeticSpec, case.arith).reference else None
    return Setting.of(registry, case.domain, case.memory, case.arith, limits, asked)


def problems_of(setting: Setting, case: Case) -> list[Any]:
    """The problems of a case."""
    return [parse_problem(setting.domain, text) for text in case.problems]


def script_of(setting: Setting, case: Case) -> Script:
    """The model of a case, which has been asked nothing yet."""
    kind = FickleScript if case.fickle else Script
    return kind(setting.convention, case.answers, _QUESTIONS * len(case.problems) * (case.most_steps + 1))


def plain_trace(setting: Setting, problem: Any, model: Model, *others: Listener) -> Trace:
    """What Algorithm 1 says of a problem. The `others` hear its steps, too."""
    heard: list[StepRecord] = []
    run = run_plainly(setting, problem, model, [*others, lambda record: heard.append(record.detached())])
    return Trace(tuple(heard), run.outcome, run.state, run.memory.pointer, tuple(run.memory.windows()))
