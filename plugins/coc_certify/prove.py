"""Proving: all prompts that some problems lead to, the model's targets with their margins, and what follows."""

from collections.abc import Callable, Iterable

from attrs import evolve

from coc_certify.certificate import Certificate, Rule
from coc_certify.proofs import Composed, Refutation, StepByStep
from coc_core.domain import Instance
from coc_core.errors import UsageError
from coc_core.models import Model, Pair, StatesMargins
from coc_core.setting import Setting
from coc_core.types import MOST_STEPS


def setting_to_certify(setting: Setting) -> Setting:
    """The setting in which problems are certified: where steps are composed, there may be any number of them.

    Raises:
        UsageError: A second model does the arithmetic.
    """
    if setting.arith_model is not None:
        raise UsageError(
            f"{setting.arithmetic.name} arithmetic calls a second model, which no certificate covers",
            remedy="use --arith symbolic or inline",
        )
    return evolve(setting, limits=evolve(setting.limits, steps=MOST_STEPS)) if _composes(setting) else setting


def prove(
    setting: Setting,
    model: Model,
    problems: Iterable[Instance],
    *,
    bounded: bool = True,
    count: Callable[[int, int], None] = lambda done, total: None,
) -> Certificate | Refutation:
    """Prove what a model does on some problems, or say why that can't be done.

    Args:
        setting: What `setting_to_certify` gave.
        model: The model of a checkpoint.
        problems: The problems.
        bounded: Whether to bound what the rounding of float32 can change.
        count: Is called with the number of targets whose margins are known, and the number of all.

    Raises:
        UsageError: The model states no margins, there is no problem, or there are too many prompts.
    """
    fingerprint = model.record.get("fingerprint")
    if not isinstance(model, StatesMargins) or fingerprint is None:
        raise UsageError(f"the model {model.name!r} gives no logit margins", remedy="name a checkpoint with --model")
    composed = _composes(setting)
    proof = Composed(setting, model) if composed else StepByStep(setting, model)
    refutation = proof.add(instance.problem for instance in problems)
    if refutation is not None:
        return refutation
    pairs, rules = list(map(Pair, proof.numbers, proof.targets)), list[Rule]()
    for pair, margin in zip(pairs, model.margins(pairs, bounded=bounded), strict=True):
        if not margin.margin > 0:
            return Refutation(pair.prompt, "in float64 the model writes another target")
        rules.append(Rule(pair.prompt, pair.target, margin, *proof.effect(pair.prompt)))
        count(len(rules), len(pairs))
    if not rules:
        raise UsageError("there is no problem to certify", remedy="choose others")
    names = {
        "domain": setting.domain.name,
        "memory": setting.memory.name,
        "arithmetic": setting.arithmetic.name,
        "dialect": setting.convention.dialect,
    }
    return Certificate(names, fingerprint, model.assumptions, rules, proof.claims, composed, setting.domain)


def _composes(setting: Setting) -> bool:
    """Whether the steps of the setting's runs compose."""
    return setting.machine(setting.domain.problem(setting.domain.sizes[0])).skippable
