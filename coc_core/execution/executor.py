"""What an executor is: it decides in what order, and in what batches, the loop of Algorithm 1 is run."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from coc_core.errors import StepFault, UsageError
from coc_core.execution.machine import Machine
from coc_core.models import CallContext, Model, call_each
from coc_core.types import Outcome

ROOM = 1 << 27
"""Bytes for the responses that an executor remembers."""


class Executor(ABC):
    """Drives machines to their ends with the targets of one model."""

    name: ClassVar[str]
    needs_determinism: ClassVar[bool] = False

    @property
    def used(self) -> str:
        """The name of the executor that did the work, its own or the one that it handed the last run to."""
        return self.name

    def run(self, machines: Sequence[Machine], model: Model) -> tuple[Outcome, ...]:
        """One outcome for each machine, in order. `model_calls` and `seconds` are those of the whole run."""
        calls, started = model.calls, time.perf_counter()
        for _ in self.stream(machines, model):
            pass
        seconds = time.perf_counter() - started
        return tuple(
            Outcome(machine.status, machine.steps, machine.actions, machine.fault, model.calls - calls, seconds)
            for machine in machines
        )

    def stream(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        """Each machine, once its run has ended, in whatever order the runs end.

        A machine is taken when there is room for it and let go when it has ended, so there may be any number of them.

        Raises:
            UsageError: This executor can't work with this model.
        """
        if self.needs_determinism and not model.deterministic:
            raise UsageError(
                f"the executor {self.name!r} needs a deterministic model, and {model.name!r} is not",
                remedy="use --executor sequential",
            )

        def begin(machine: Machine) -> Machine:
            machine.assume(deterministic=model.deterministic)
            return machine

        return self._run(map(begin, machines), model)

    @abstractmethod
    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]: ...


def attributed_to(machine: Machine, model: Model) -> CallContext:
    """The context of the model calls for one machine: what the model raises by mistake names it and the step."""
    return lambda _: machine.attributing_errors(model)


def take_step(machine: Machine, model: Model) -> bool:
    """Take one step of Algorithm 1: one window, one model call. False, and nothing happens, if the run has ended."""
    prompt = machine.peek()
    if prompt is None:
        return False
    (response,) = call_each(model, [prompt], within=attributed_to(machine, model))
    if isinstance(response, StepFault):
        machine.fail(response, prompt)
    else:
        machine.step(response)
    return True
