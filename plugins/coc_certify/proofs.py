"""What is known of problems, and of the prompts that they lead to: composed where that can be done, or step by step."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from attrs import frozen

from coc_certify.certificate import Claim
from coc_core.domain import StoresRecords
from coc_core.errors import UsageError
from coc_core.execution import Listener, Lockstep, Machine, ProcedureSummary, StepRecord, Summaries, Summary
from coc_core.models import Model
from coc_core.setting import Setting

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
