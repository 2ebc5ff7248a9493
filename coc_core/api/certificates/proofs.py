"""What is known of problems, and of the prompts that they lead to: composed where that can be done, or step by step."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from coc_core.execution import Listener, Lockstep, Machine, StepRecord, Summaries, Summary
from coc_core.models import Model
from coc_core.proof import Claim, ProcedureSummary
from coc_core.setting import Setting

MOST_PROMPTS = 1 << 18
"""The largest number of prompts in a certificate."""

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


class Proof(ABC):
    """What a model does on some problems.

    Attributes:
        numbers: The number of each prompt that they lead to, in the order of `targets`.
        targets: The targets of these prompts.
        claims: The problems, all of them solved.
    """

    def __init__(self, setting: Setting, model: Model) -> None:
        self._setting, self._model = setting, model
        self.numbers: dict[str, int] = {}
        self.targets: list[str] = []
        self.claims: list[Claim] = []

    def add(self, problems: Sequence[Any]) -> Refutation | None:
        """Add problems. Returns why one of them has no proof, None if all have one."""
        machines = [self._setting.machine(problem, self._listeners()) for problem in problems]
        firsts = [machine.peek() for machine in machines]
        self._run(machines)
        for machine, first in zip(machines, firsts, strict=True):
            text = machine.domain.problems.format(machine.problem)
            if machine.status != "solved" or first is None:
                return Refutation(text, _why(machine))
            if first not in self.numbers:
                return Refutation(text, "the steps can't be composed")
            self.claims.append(Claim(text, self.numbers[first], machine.actions, machine.steps))
        return None

    @abstractmethod
    def effect(self, prompt: str) -> tuple[tuple[int, ...], ProcedureSummary | None]:
        """The numbers of the prompts that a prompt leads to, and what it does until they have ended."""

    @abstractmethod
    def _listeners(self) -> Sequence[Listener]: ...

    @abstractmethod
    def _run(self, machines: Sequence[Machine]) -> None: ...

    def _keep(self, prompt: str, target: str) -> None:
        if prompt not in self.numbers:
            self.numbers[prompt] = len(self.targets)
            self.targets.append(target)


class StepByStep(Proof):
    """Each problem is run, and its prompts are kept."""

    def effect(self, prompt: str) -> tuple[tuple[int, ...], ProcedureSummary | None]:
        return (), None

    def _listeners(self) -> Sequence[Listener]:
        return (self._hear,)

    def _hear(self, record: StepRecord) -> None:
        self._keep(record.prompt, record.target)

    def _run(self, machines: Sequence[Machine]) -> None:
        for _ in Lockstep().stream(machines, self._model):
            pass


class Composed(Proof):
    """Each prompt is called once, and the effects are composed from the bottom up."""

    def __init__(self, setting: Setting, model: Model) -> None:
        super().__init__(setting, model)
        self._summaries = Summaries(model, MOST_PROMPTS + 1, _MOST_VALUES)

    def effect(self, prompt: str) -> tuple[tuple[int, ...], ProcedureSummary | None]:
        _, following = self._summaries.leads_to(prompt)
        return tuple(self.numbers[each] for each in following), self._summaries.by_prompt[prompt]

    def _listeners(self) -> Sequence[Listener]:
        return ()

    def _run(self, machines: Sequence[Machine]) -> None:
        self._summaries.explore(machines)
        for machine in machines:
            first = machine.peek()
            summary = self._summaries.by_prompt.get(first or "")
            if first is not None and summary is not None and machine.skip(summary):
                self._reach(first)
            else:
                for _ in Summary().stream([machine], self._model):  # to the step where it goes wrong
                    pass

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
