"""Proving: all prompts that some problems lead to, the model's targets with their margins, and what follows."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from attrs import evolve, frozen

from coc_certify.certificate import Certificate, Claim, ProgramCertificate, Rule
from coc_certify.programs import program_data
from coc_core.domain import StoresRecords
from coc_core.errors import UsageError
from coc_core.execution import Listener, Lockstep, Machine, ProcedureSummary, StepRecord, Summaries, Summary
from coc_core.models import Model, Pair, StatesMargins, TargetMargin
from coc_core.setting import Setting
from coc_core.types import MOST_STEPS
from coc_problems import Instance, every_prompt, has_few_kinds
from coc_programs import Program

MOST_PROMPTS = 1 << 18
"""The largest number of prompts in a certificate."""

_TOGETHER = 1 << 10  # problems whose prompts are explored at a time
_MOST_VALUES = 1 << 23  # that the effects of all prompts need and set


@frozen
class Refutation:
    """Why there is no certificate.

    Attributes:
        about: The problem that is not solved, or the prompt whose target is in doubt.
        reason: What is wrong with it.
    """

    about: str
    reason: str


class _Run(NamedTuple):
    """The run of a problem: its number, its machine, and its first prompt if there is one."""

    number: int
    machine: Machine
    first: str | None


class Proof(ABC):
    """What a model does on some problems.

    Attributes:
        numbers: The number of each prompt that they lead to, in the order of `targets`.
        targets: The targets of these prompts.
        claims: The problems, all of them solved, each once.
    """

    def __init__(self, setting: Setting, model: Model) -> None:
        self._setting, self._model = setting, model
        self.numbers: dict[str, int] = {}
        self.targets: list[str] = []
        self.claims: list[Claim] = []

    def add(self, problems: Iterable[Any]) -> Refutation | None:
        """Add problems. Returns why one of them has no proof, None if all have one; UsageError for too many prompts."""
        claims: list[tuple[int, Claim]] = []
        for run in self._run(enumerate(problems)):
            text = run.machine.domain.problems.format(run.machine.problem)
            if run.machine.status != "solved" or run.first is None:
                return Refutation(text, _why(run.machine))
            if run.first not in self.numbers:
                return Refutation(text, "the steps can't be composed")
            if len(self.targets) > MOST_PROMPTS:
                raise UsageError(
                    f"these are more than {MOST_PROMPTS:,} prompts", remedy="certify fewer problems at a time"
                )
            claim = Claim(text, self.numbers[run.first], run.machine.actions, run.machine.steps, self._window(run))
            claims.append((run.number, claim))
        in_order = (claim for _, claim in sorted(claims, key=itemgetter(0)))
        self.claims = [*{claim.problem: claim for claim in (*self.claims, *in_order)}.values()]
        return None

    @abstractmethod
    def effect(self, prompt: str) -> tuple[tuple[int, ...], ProcedureSummary | None]:
        """Return the numbers of the prompts that a prompt leads to, and what it does until they have ended."""

    @abstractmethod
    def _run(self, problems: Iterator[tuple[int, Any]]) -> Iterator[_Run]:
        """Run problems, each of which has a number, and yield each run when it has ended."""

    def _started(self, number: int, problem: Any, listeners: Sequence[Listener] = ()) -> _Run:
        machine = self._setting.machine(problem, listeners)
        return _Run(number, machine, machine.peek())

    def _window(self, run: _Run) -> str:
        """Return what the memory of a run held at its start; empty if the first prompt shows all of it."""
        machine = run.machine
        return machine.convention.first_window(machine.problem) if isinstance(machine.domain, StoresRecords) else ""

    def _keep(self, prompt: str, target: str) -> None:
        if prompt not in self.numbers:
            self.numbers[prompt] = len(self.targets)
            self.targets.append(target)


class StepByStep(Proof):
    """Each problem is run, and its prompts are kept."""

    def effect(self, prompt: str) -> tuple[tuple[int, ...], ProcedureSummary | None]:
        return (), None

    def _run(self, problems: Iterator[tuple[int, Any]]) -> Iterator[_Run]:
        active: dict[Machine, _Run] = {}

        def machines() -> Iterator[Machine]:
            for number, problem in problems:
                run = self._started(number, problem, (self._hear,))
                active[run.machine] = run
                yield run.machine

        for machine in Lockstep().stream(machines(), self._model):  # one stream, which calls no prompt twice
            yield active.pop(machine)

    def _hear(self, record: StepRecord) -> None:
        self._keep(record.prompt, record.target)


class Composed(Proof):
    """Each prompt is called once, and the effects are composed from the bottom up."""

    def __init__(self, setting: Setting, model: Model) -> None:
        super().__init__(setting, model)
        self._summaries = Summaries(model, MOST_PROMPTS + 1, _MOST_VALUES)

    def effect(self, prompt: str) -> tuple[tuple[int, ...], ProcedureSummary | None]:
        _, following = self._summaries.leads_to(prompt)
        return tuple(self.numbers[each] for each in following), self._summaries.by_prompt[prompt]

    def _run(self, problems: Iterator[tuple[int, Any]]) -> Iterator[_Run]:
        while some := [self._started(*each) for each in islice(problems, _TOGETHER)]:
            self._summaries.explore(run.machine for run in some)
            for run in some:
                summary = self._summaries.by_prompt.get(run.first or "")
                if run.first is not None and summary is not None and run.machine.skip(summary):
                    self._reach(run.first)
                else:
                    for _ in Summary().stream([run.machine], self._model):  # to the step where it goes wrong
                        pass
                yield run

    def _reach(self, first: str) -> None:
        """Keep a prompt and all that it leads to."""
        pending = [first]
        while pending:
            prompt = pending.pop()
            if prompt not in self.numbers:
                response = self._summaries.responses[prompt]
                assert isinstance(response, str)  # since it has a summary
                self._keep(prompt, response)
                pending += reversed(self._summaries.leads_to(prompt)[1])


def _why(machine: Machine) -> str:
    fault = machine.fault
    return machine.unsolvable or (
        f"step {fault.step:,}, {fault.kind}: {fault.message}" if fault is not None else "the goal is not reached"
    )


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
