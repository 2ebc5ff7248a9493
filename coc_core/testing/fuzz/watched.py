"""Machines under watch, and what an executor does with them."""

from collections.abc import Sequence
from typing import Any

from coc_core.errors import StorageError
from coc_core.execution import Executor, Listener, StepRecord
from coc_core.models import Model
from coc_core.setting import Setting
from coc_core.testing.fuzz.trace import Difference, Trace, compare_heard
from coc_core.types import Outcome


class Refused(Exception):
    """What a listener raises that wants no more steps."""


class Watched:
    """A machine whose steps are heard and kept; then the `others` hear of them."""

    def __init__(self, setting: Setting, problem: Any, others: Sequence[Listener] = ()) -> None:
        self.heard: list[StepRecord] = []
        self.ends: list[Trace] = []
        """What the machine held, each time that the executor gave it back."""

        self.machine = setting.machine(problem, [self._hear, *others])

    def end(self) -> None:
        """Remember what the machine holds now, as the end of its run."""
        machine, memory = self.machine, self.machine.memory
        outcome = Outcome(machine.status, machine.steps, machine.actions, machine.fault)
        self.ends.append(Trace(tuple(self.heard), outcome, machine.state, memory.pointer, tuple(memory.windows())))

    def _hear(self, record: StepRecord) -> None:
        self.heard.append(record.detached())


def drive(
    executor: Executor, watched: Sequence[Watched], model: Model, wanted: Sequence[Trace] = ()
) -> Difference | None:
    """Let the executor run the machines to their ends; what is wrong with that, beside how they ended.

    `wanted` are the runs that should come out. What a listener raises comes out.
    """
    try:
        for machine in executor.stream(iter([each.machine for each in watched]), model):
            for each in watched:
                if each.machine is machine:
                    each.end()
    except (Refused, StorageError):
        raise
    except Exception as error:
        return _misstep(watched, wanted) or _raised(watched, error)
    for number, each in enumerate(watched):
        if len(each.ends) != 1:
            given = Difference(number, each.machine.steps, "how often it was given back", "once", f"{len(each.ends)}")
            return _misstep(watched, wanted) or given
    return None


def _misstep(watched: Sequence[Watched], wanted: Sequence[Trace]) -> Difference | None:
    """The first wrong step, which may be why the executor went wrong."""
    pairs = enumerate(zip(watched, wanted, strict=False))
    steps = (compare_heard(number, trace.heard, each.heard) for number, (each, trace) in pairs)
    return next(filter(None, steps), None)


def _raised(watched: Sequence[Watched], error: Exception) -> Difference:
    number = next((number for number, each in enumerate(watched) if not each.ends), 0)
    step = watched[number].machine.steps + 1
    found = f"{type(error).__name__}: {error}".partition("\n")[0]
    return Difference(number, step, "what the executor raised", "nothing", found)
