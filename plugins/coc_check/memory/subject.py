"""A memory under test: the stages, runs and walks on which it can be tried."""

from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

from attrs import evolve

from coc_check.check import Subject, require
from coc_check.memory.drill import Drill, Grow
from coc_check.plain import Trace, run_plainly
from coc_check.scripted import Scripted
from coc_check.stage import Stage, own_arithmetics, plain_stages
from coc_core.memories import Convention, Memo, Memory
from coc_core.plugin import ArithmeticSpec, MemorySpec
from coc_core.setting import Setting, make_a
from coc_core.types import Limits


class View(NamedTuple):
    """What can be seen of a memory: its windows, which one is next, and its prompt."""

    windows: tuple[str, ...]
    pointer: int
    prompt: str | None


class Walk:
    """A memory at the first step of a problem. Each step is whatever text it is given."""

    def __init__(self, stage: Stage, problem: Any, limits: Limits | None = None) -> None:
        setting = stage.setting
        self.stage, self.problem = stage, problem
        self.longest = problem in [task.problem for task in stage.tasks[-1:]]
        self.convention, self.oracle, limits = setting.convention, setting.arithmetic, limits or setting.limits
        made = setting.registry.make(setting.memory, setting.memory.factory, limits)
        self.memory: Memory[Any, Any, Any] = made
        self.contents = made.start(self.convention.first_window(problem)) if isinstance(made, Memory) else None

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
    def view(self) -> View:
        """What can be seen of the memory now."""
        found, windows = self.memory.read(self.contents), tuple(self.memory.windows(self.contents))
        return View(windows, -1, None) if found is None else View(windows, found[0], self.convention.prompt(found[1]))

    def take(self, text: str) -> None:
        """Commit a target, with no regard to its actions; raises the StepFault that it is."""
        write = self.convention.resolve(self.convention.parse(text), self.window, self.oracle)
        self.contents = self.memory.write(self.contents, write)

    def go(self, most: int) -> "Walk":
        """Take as many steps of the policy, or fewer if it halts before; gives itself."""
        while most > 0 and not self.halted:
            self.take(self.target)
            most -= 1
        return self


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
        walk = self.walk(self.drills[0], Grow("deep", 1))
        return type(walk.memory), type(walk.convention)

    def walk(self, stage: Stage, problem: Any, limits: Limits | None = None) -> Walk:
        """Return a walk at the first step of a problem."""
        self.at = stage.named(problem)
        return Walk(stage, problem, limits)

    def walks(self, limits: Limits | None = None, *, longest: bool = False) -> Iterator[Walk]:
        """Yield a walk at the first step of each task of each stage, or of the longest one."""
        for stage in self.stages:
            for task in stage.tasks[-1:] if longest else stage.tasks:
                yield self.walk(stage, task.problem, limits)

    def steps(self) -> Iterator[Walk]:
        """Yield each walk before each step of the policy, which it then takes."""
        for walk in self.walks():
            while not walk.halted:
                yield walk
                walk.go(1)

    def run(
        self, stage: Stage, problem: Any, limits: Limits | None = None, respond: Callable[[str], str] | None = None
    ) -> Trace:
        """Return the whole run of a problem, with the policy's targets or with those of `respond`."""
        self.at = stage.named(problem)
        setting = evolve(stage.setting, limits=limits) if limits else stage.setting
        return run_plainly(setting, problem, Scripted(Memo(respond)) if respond else None)
