"""A memory under test: the stages and walks on which it can be tried."""

from collections.abc import Iterator
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

from coc_check.check import Subject, require
from coc_check.memory.drill import Drill, Grow
from coc_check.scripted import left_undone
from coc_check.stage import Stage, Task, own_arithmetics, plain_stages
from coc_core.execution import Anchor
from coc_core.memories import Convention, Memory
from coc_core.plugin import ArithmeticSpec, MemorySpec
from coc_core.setting import Setting, make_a
from coc_core.types import Limits


class View(NamedTuple):
    """What can be seen of a memory: its windows, which one is next, and its prompt."""

    windows: tuple[str, ...]
    pointer: int
    prompt: str | None


class Walk:
    """A memory at the first step of a task. Each step is whatever text it is given."""

    def __init__(self, stage: Stage, task: Task, limits: Limits | None = None) -> None:
        setting = stage.setting
        self.stage, self.task, self.longest = stage, task, task in stage.tasks[-1:]
        self.convention, self.oracle, self.limits = setting.convention, setting.arithmetic, limits or setting.limits
        made = setting.registry.make(setting.memory, setting.memory.factory, self.limits)
        self.memory: Memory[Any, Any, Any] = made
        self.contents = made.start(self.convention.first_window(task.problem)) if isinstance(made, Memory) else None
        self._steps, self._anchor = 0, Anchor()

    def fork(self) -> "Walk":
        """Return another walk at the same place."""
        return copy(self)

    @property
    def window(self) -> Any:
        """The next window; None once the memory has halted."""
        return (self.memory.read(self.contents) or (-1, None))[1]

    @property
    def halted(self) -> bool:
        """Whether no window is left to run."""
        return self.window is None

    @property
    def prompt(self) -> str:
        """The next prompt."""
        return self.convention.prompt(self.window)

    @property
    def target(self) -> str:
        """What the policy writes next."""
        return self.convention.target_for(self.prompt)

    @property
    def twice(self) -> str:
        """A target that leaves the next instruction to be done twice; once where a step can leave but one."""
        return left_undone(self.convention, self.prompt, 2)

    @property
    def view(self) -> View:
        """What can be seen of the memory now."""
        found, windows = self.memory.read(self.contents), tuple(self.memory.windows(self.contents))
        return View(windows, -1, None) if found is None else View(windows, found[0], self.convention.prompt(found[1]))

    def take(self, text: str) -> None:
        """Commit a target, with no regard to its actions; raises the StepFault that it is."""
        write = self.convention.resolve(self.convention.parse(text), self.window, self.oracle)
        self.contents = self.memory.write(self.contents, write)
        self._steps += 1

    def go(self, most: int) -> "Walk":
        """Take as many steps of the policy, or fewer if it halts before; gives itself."""
        while most > 0 and not self.halted:
            self.take(self.target)
            most -= 1
        return self

    def repeats(self) -> bool:
        """Return whether the machine would end the run as one that never halts. Called once before each step."""
        anchor = self._anchor.after(self._steps, *self.memory.key(self.contents))
        self._anchor = anchor or self._anchor
        return anchor is None

    def __str__(self) -> str:
        return self.stage.named(self.task)


class MemorySubject(Subject):
    """One installed memory with its convention."""

    kind = MemorySpec

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Each domain that can be run on it, in each notation of its convention; Nonconforming if there is none."""
        found = tuple(plain_stages(self.registry, self.name))
        require(bool(found), f"no installed domain runs on {self.name}")
        return found

    @cached_property
    def drills(self) -> tuple[Stage, ...]:
        """The memory with the drill (`coc_check.memory.drill`), in each notation of its convention."""
        found = dict[str, Stage]()
        for arith in own_arithmetics(self.registry):
            spec = self.registry.find(ArithmeticSpec, arith)
            oracle = self.registry.make(spec, spec.factory)
            arguments = self.spec.convention, Drill(), oracle.notation, Limits()
            convention: Convention[Any, Any] = make_a(Convention, self.registry, self.spec, *arguments)
            setting = Setting(self.registry, Drill(), self.spec, oracle, convention, Limits())
            found.setdefault(convention.dialect, Stage(setting, ()))
        return tuple(found.values())

    @cached_property
    def watched(self) -> tuple[type, ...]:
        walk = self.drill(self.drills[0], Grow("deep", 1))
        return type(walk.memory), type(walk.convention)

    def drill(self, stage: Stage, run: Grow, limits: Limits | None = None) -> Walk:
        """Return a walk at the first step of a run of the drill."""
        walk = Walk(stage, Task(run, (), 0), limits)
        self.at = str(walk)
        return walk

    def walks(self, limits: Limits | None = None, *, longest: bool = False) -> Iterator[Walk]:
        """Yield a walk at the first step of each task of each stage, or of the longest one."""
        for stage in self.stages:
            for task in stage.tasks[-1:] if longest else stage.tasks:
                walk = Walk(stage, task, limits)
                self.at = str(walk)
                yield walk

    def steps(self, *, longest: bool = False) -> Iterator[Walk]:
        """Yield each of these walks before each step of the policy, which it then takes."""
        for walk in self.walks(longest=longest):
            while not walk.halted:
                yield walk
                walk.go(1)
