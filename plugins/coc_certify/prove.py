"""Proving: all prompts that some problems lead to, the model's targets with their margins, and what follows."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attrs import evolve

from coc_certify.certificate import Certificate, ProgramCertificate, Rule
from coc_certify.programs import program_data
from coc_certify.proofs import Composed, Refutation, StepByStep
from coc_core.errors import UsageError
from coc_core.models import Model, Pair, StatesMargins, TargetMargin
from coc_core.setting import Setting
from coc_core.types import MOST_STEPS
from coc_problems import Instance, every_prompt, has_few_kinds
from coc_programs import Program


def setting_to_certify(setting: Setting) -> Setting:
    """Return the setting to certify problems in: where steps are composed, there may be any number of them.

    UsageError if a second model does the arithmetic.
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
    runs: bool = False,
) -> Certificate | Refutation:
    """Prove what a model does on some problems, or say why that can't be done.

    Args:
        setting: What `setting_to_certify` gave.
        bounded: Whether to bound what the rounding of float32 can change.
        count: Is called with the number of targets whose margins are known, and the number of all.
        runs: Whether to prove it of these runs where the policy is a program, rather than of all its steps.

    Raises:
        UsageError: The model states no margins, there is no problem, or there are too many prompts.
    """
    fingerprint = model.record.get("fingerprint")
    if not isinstance(model, StatesMargins) or fingerprint is None:
        raise UsageError(f"the model {model.name!r} gives no logit margins", remedy="name a checkpoint with --model")
    if _is_program(setting) and not runs:
        return _prove_program(setting, model, [instance.problem for instance in problems], bounded, count)
    composed = _composes(setting)
    proof = Composed(setting, model) if composed else StepByStep(setting, model)
    refutation = proof.add(instance.problem for instance in problems)
    if refutation is not None:
        return refutation
    margins = _margins(model, list(map(Pair, proof.numbers, proof.targets)), bounded, count)
    if isinstance(margins, Refutation):
        return margins
    rules = [Rule(*pair, margin, *proof.effect(pair.prompt)) for pair, margin in margins.items()]
    return Certificate(_names(setting), fingerprint, model.assumptions, rules, proof.claims, composed, setting.domain)


def _margins(
    model: StatesMargins, pairs: Sequence[Pair], bounded: bool, count: Callable[[int, int], None]
) -> dict[Pair, TargetMargin] | Refutation:
    """Return the margin of each target; or the prompt whose target is in doubt."""
    if not pairs:
        raise UsageError("there is no problem to certify", remedy="choose others")
    found = dict[Pair, TargetMargin]()
    for pair, margin in zip(pairs, model.margins(pairs, bounded=bounded), strict=True):
        if not margin.margin > 0:
            return Refutation(pair.prompt, "in float64 the model writes another target")
        found[pair] = margin
        count(len(found), len(pairs))
    return found


def _names(setting: Setting) -> dict[str, str]:
    names = {"domain": setting.domain.name, "memory": setting.memory.name}
    return {**names, "arithmetic": setting.arithmetic.name, "dialect": setting.convention.dialect}


def _is_program(setting: Setting) -> bool:
    """Return whether the policy is a program of which all prompts there are can be listed."""
    spoken = setting.convention
    return isinstance(setting.domain, Program) and "records" in spoken.offers and has_few_kinds(spoken)


def _prove_program(
    setting: Setting, model: StatesMargins, problems: Sequence[Any], bounded: bool, count: Callable[[int, int], None]
) -> Certificate | Refutation:
    """Prove that a model takes every step of a program; UsageError if a problem begins as the domain says none does."""
    domain: Any = setting.domain
    program = program_data(domain, domain.compiled)
    for problem in problems:
        setting.convention.first_window(problem)
    listed = every_prompt(setting.convention)
    prompts = (*listed.wrong, *(pair.prompt for pair in listed.pairs))
    called = {prompt.split(" ")[1].partition(".")[0] for prompt in prompts}
    for code in domain.compiled.codes.values():
        if code.procedure.name not in called:
            problem = "no run that begins with the kinds of this domain calls it"
            code.source.refuse(code.source.tree, problem, "remove it, or state more kinds")
    margins = _margins(model, listed.pairs, bounded, count)
    if isinstance(margins, Refutation):
        return margins
    return ProgramCertificate(
        setting=_names(setting),
        fingerprint=model.record["fingerprint"],
        assumptions=model.assumptions,
        rules=[Rule(*pair, margin) for pair, margin in margins.items()],
        domain=domain,
        program=program,
        listed=listed,
    )


def _composes(setting: Setting) -> bool:
    """Return whether the steps of the setting's runs compose."""
    return setting.machine(setting.domain.problem(setting.domain.sizes[0])).skippable
