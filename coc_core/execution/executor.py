"""The executors: in what order, and in what batches, the loop of Algorithm 1 is run."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from coc_core.errors import StepFault, UsageError
from coc_core.execution.machine import Machine
from coc_core.models import Model
from coc_core.types import Outcome


class Executor(ABC):
    """Drives machines to their ends with the answers of one model."""

    name: ClassVar[str]
    needs_determinism: ClassVar[bool] = False

    def run(self, machines: Sequence[Machine], model: Model) -> tuple[Outcome, ...]:
        """One outcome for each machine, in order. `model_calls` and `seconds` are of the whole run."""
        calls, started = model.calls, time.perf_counter()
        for _ in self.stream(machines, model):
            pass
        seconds = time.perf_counter() - started
        return tuple(
            Outcome(machine.status, machine.steps, machine.actions, machine.fault, model.calls - calls, seconds)
            for machine in machines
        )

    def stream(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        """Each machine, once its run has ended, in whatever order they end.

        A machine is taken when there is room for it and let go when it has ended, so there may be any number of them.
        UsageError if this executor can't work with this model.
        """
        if self.needs_determinism and not model.deterministic:
            raise UsageError(
                f"the executor {self.name!r} needs a deterministic model, {model.name!r} is none",
                remedy="use --executor sequential",
            )

        def begin(machine: Machine) -> Machine:
            machine.find_loops = model.deterministic
            return machine

        return self._run(map(begin, machines), model)

    @abstractmethod
    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]: ...


def ask(model: Model, machine: Machine, prompt: str, ahead: Sequence[str] = ()) -> list[str]:
    """The model's answers to `prompt` and to the prompts `ahead`; none if asking was a fault, which has ended the run.

    A fault of a prompt ahead is none of this step, so then `prompt` is asked alone.
    """
    try:
        with machine.blaming(model):
            return model.complete([prompt, *ahead])
    except StepFault as fault:
        if ahead:
            return ask(model, machine, prompt)
        machine.fail(fault, prompt)
        return []
