"""A run on one memory without a machine, so that a check can look at the memory between any two of its calls."""

from copy import copy
from typing import Any

from attrs import frozen

from coc_check.check import require
from coc_check.stage import Stage, Task
from coc_core.execution import Anchor
from coc_core.memories import Memory
from coc_core.types import Limits


@frozen
class View:
    """What can be seen of a memory: its windows, which one is next, and its prompt."""

    windows: tuple[str, ...]
    pointer: int
    prompt: str | None


class Walk:
    """A memory at the first step of a task. Each step is whatever text it is given."""

    def __init__(self, stage: Stage, task: Task, limits: Limits | None = None) -> None:
        setting = stage.setting
        self.stage, self.task = stage, task
        self.convention, self._oracle = setting.convention, setting.arithmetic
        self._limits = limits or setting.limits
        made = setting.registry.make(setting.memory, setting.memory.factory, self._limits)
        self.memory: Memory[Any, Any, Any] = made
        self.contents = made.start(self.convention.first_window(task.problem)) if isinstance(made, Memory) else None
        self._steps, self._anchor = 0, Anchor()

    @classmethod
    def of(cls, stage: Stage, problem: Any, limits: Limits | None = None) -> "Walk":
        """A walk of a problem that is not a task of the stage."""
        return cls(stage, Task(problem, (), 0), limits)

    def fork(self) -> "Walk":
        """Another walk at the same place."""
        return copy(self)

    @property
    def halted(self) -> bool:
        """Whether no window is left to run."""
        return self.memory.read(self.contents) is None

    @property
    def prompt(self) -> str | None:
        """The next prompt; None once the memory has halted."""
        window = self.window
        return None if window is None else self.convention.prompt(window)

    @property
    def window(self) -> Any:
        """The next window; None once the memory has halted."""
        found = self.memory.read(self.contents)
        return None if found is None else found[1]

    def target(self) -> str:
        """What the policy writes next."""
        return self.convention.target_for(str(self.prompt))

    def take(self, text: str) -> None:
        """Commit a target, with no regard to its actions; raises the StepFault that it is."""
        reply = self.convention.parse(text)
        self.contents = self.memory.write(self.contents, self.convention.resolve(reply, self.window, self._oracle))
        self._steps += 1

    def go(self, most: int) -> "Walk":
        """Take as many steps of the policy, or fewer if it halts before; gives itself."""
        while most > 0 and not self.halted:
            self.take(self.target())
            most -= 1
        return self

    def repeats(self) -> bool:
        """Whether the machine would end the run as one that never halts. Called once before each step."""
        anchor = self._anchor.after(self._steps, *self.memory.key(self.contents))
        self._anchor = anchor or self._anchor
        return anchor is None

    def check_held(self) -> None:
        """Nonconforming if the memory holds more than its limits allow: bytes or windows, whichever it counts."""
        held, limits = self.memory.windows(self.contents), self._limits
        size = sum(len(window.encode()) for window in held)
        within = size <= limits.tape_bytes or len(held) <= limits.stack_depth
        require(within, f"it holds {len(held)} windows of {size} bytes, the limits are {limits}", str(self))

    def view(self) -> View:
        """What can be seen of the memory now."""
        found, windows = self.memory.read(self.contents), tuple(self.memory.windows(self.contents))
        return View(windows, -1 if found is None else found[0], self.prompt)

    def __str__(self) -> str:
        return self.stage.named(self.task)
