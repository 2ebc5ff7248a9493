"""An executor under test: what it makes of runs, beside what Algorithm 1 makes of them."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from attrs import frozen

from coc_core.execution import Executor, Machine, StepRecord
from coc_core.models import Model
from coc_core.plugin import ExecutorSpec, Registry
from coc_core.testing.check import require
from coc_core.testing.domain.subject import MEMORIES
from coc_core.testing.plain import run_plainly
from coc_core.testing.stage import Stage, Task, plain_stages
from coc_core.types import Limits, Outcome

LIMITS = Limits(steps=80, tape_bytes=3_000, stack_depth=40, target_chars=600)
"""Low enough to be reached."""

Made = Callable[[Any], Model]
"""A new model for a convention: each run gets one that knows nothing of the others."""


@frozen
class Trace:
    """All that a run does and leaves, but the wording of a fault."""

    commits: tuple[tuple[int, str, str], ...]
    end: tuple[str, int, int]
    fault: tuple[str, int] | None
    state: Any
    windows: tuple[str, ...]
    pointer: int


class Driven:
    """One installed executor."""

    def __init__(self, registry: Registry, name: str) -> None:
        self._registry = registry
        self.name = name

    def fresh(self) -> Executor:
        """A new executor."""
        return self._registry.create(ExecutorSpec, self.name)  # type: ignore[no-any-return]

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Where it is tried; Nonconforming if there is no domain."""
        found = self.limited(LIMITS)
        require(bool(found), f"no domain is installed that {self.name} could run")
        return found

    def limited(self, limits: Limits) -> tuple[Stage, ...]:
        """The same stages with other caps."""
        return tuple(stage for memory in MEMORIES for stage in plain_stages(self._registry, memory, limits))

    def agrees(self, stage: Stage, tasks: Sequence[Task], made: Made, executor: Executor | None = None) -> None:
        """Nonconforming unless these runs, all at once, are those of Algorithm 1, one by one."""
        group = Group(stage, tasks)
        outcomes = (executor or self.fresh()).run(group.machines, made(stage.setting.convention))
        require(len(outcomes) == len(tasks), f"{len(tasks)} machines have {len(outcomes)} outcomes", str(stage))
        for task, found, place in zip(tasks, group.traces(outcomes), range(len(tasks)), strict=True):
            same(found, plainly(stage, task, made), f"run {place + 1} of {len(tasks)}, {stage.named(task)}")


class Group:
    """Machines for some tasks, and what their listeners hear."""

    def __init__(self, stage: Stage, tasks: Sequence[Task]) -> None:
        self.commits: list[list[StepRecord]] = [[] for _ in tasks]
        self.machines: list[Machine] = [
            stage.setting.machine(task.problem, [heard.append]) for task, heard in zip(tasks, self.commits, strict=True)
        ]

    def traces(self, outcomes: Sequence[Outcome]) -> list[Trace]:
        """What was done and is left, with these outcomes."""
        return [
            _trace(heard, outcome, machine.state, machine.memory)
            for heard, outcome, machine in zip(self.commits, outcomes, self.machines, strict=True)
        ]


def plainly(stage: Stage, task: Task, made: Made) -> Trace:
    """What Algorithm 1 does."""
    heard: list[StepRecord] = []
    run = run_plainly(stage.setting, task.problem, made(stage.setting.convention), [heard.append])
    return _trace(heard, run.outcome, run.state, run.memory)


def same(found: Trace, wanted: Trace, which: str) -> None:
    """Nonconforming, with the first difference, unless two runs are the same."""
    for number, (one, other) in enumerate(zip(found.commits, wanted.commits, strict=False), 1):
        require(one == other, f"step {number} is {one}, by Algorithm 1 it is {other}", which)
    for name in ("end", "fault", "commits", "state", "windows", "pointer"):
        one, other = getattr(found, name), getattr(wanted, name)
        require(one == other, f"the {name} is {one!r}, by Algorithm 1 it is {other!r}", which)


def contents(machine: Machine) -> tuple[Any, ...]:
    """All that a step may change."""
    memory = machine.memory
    return machine.state, tuple(memory.windows()), memory.pointer, machine.steps, machine.actions


def _trace(heard: Sequence[StepRecord], outcome: Outcome, state: Any, memory: Any) -> Trace:
    return Trace(
        tuple((one.step, one.prompt, one.target) for one in heard),
        (outcome.status, outcome.steps, outcome.actions),
        (outcome.fault.kind, outcome.fault.step) if outcome.fault else None,
        state,
        tuple(memory.windows()),
        memory.pointer,
    )
