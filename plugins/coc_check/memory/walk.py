"""A run on one memory without a machine, so that a check can look at the memory between any two of its calls."""

from typing import Any

from attrs import frozen

from coc_check.check import require
from coc_check.stage import Stage, Task
from coc_core.memories import Memory
from coc_core.types import Limits


@frozen
class View:
    """What can be seen of a memory: its windows, which one is next, and its prompt."""

    windows: tuple[str, ...]
    pointer: int
    prompt: str | None


class Walk:
    """A memory that holds the first window of a task. Each step is whatever text it is given."""

    def __init__(self, stage: Stage, task: Task, limits: Limits | None = None) -> None:
        setting = stage.setting
        self.stage, self.task = stage, task
        self.convention, self._oracle = setting.convention, setting.arithmetic
        self._spec, self._registry = setting.memory, setting.registry
        self._limits = limits or setting.limits
        self.memory = self.fresh(self.convention.first_window(task.problem))

    @classmethod
    def of(cls, stage: Stage, problem: Any, limits: Limits | None = None) -> "Walk":
        """A walk of a problem that is not a task of the stage."""
        return cls(stage, Task(problem, (), 0), limits)

    def fresh(self, first: str) -> Memory[Any, Any]:
        """Another memory of that kind, which holds one window."""
        return self._registry.make(self._spec, self._spec.factory, first, self._limits)  # type: ignore[no-any-return]

    @property
    def prompt(self) -> str | None:
        """The next prompt; None once the memory has halted."""
        window = self.memory.fetch()
        return None if window is None else self.convention.prompt(window)

    def target(self) -> str:
        """What the policy writes next."""
        return self.convention.target_for(str(self.prompt))

    def take(self, text: str) -> None:
        """Commit a target, with no regard to its actions; raises the StepFault that it is."""
        reply = self.convention.parse(text)
        self.memory.apply(self.convention.resolve(reply, self.memory.fetch(), self._oracle))

    def go(self, most: int) -> "Walk":
        """Take as many steps of the policy, or fewer if it halts before; gives itself."""
        while most > 0 and not self.memory.halted:
            self.take(self.target())
            most -= 1
        return self

    def check_held(self) -> None:
        """Nonconforming if the memory holds more than its limits allow: bytes or windows, whichever it counts."""
        held, limits = self.memory.windows(), self._limits
        size = sum(len(window.encode()) for window in held)
        within = size <= limits.tape_bytes or len(held) <= limits.stack_depth
        require(within, f"it holds {len(held)} windows of {size} bytes, the limits are {limits}", str(self))

    def view(self) -> View:
        """What can be seen of the memory now."""
        return View(tuple(self.memory.windows()), self.memory.pointer, self.prompt)

    def __str__(self) -> str:
        return self.stage.named(self.task)
