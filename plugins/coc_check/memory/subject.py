"""A memory under test: the stages and walks on which it can be tried, and targets that never come to an end."""

from collections.abc import Collection, Iterator
from copy import copy
from functools import cached_property
from typing import Any

from attrs import frozen

from coc_check.check import require
from coc_check.memory.drill import Drill, Grow
from coc_check.stage import Stage, Subject, Task, own_arithmetics, plain_stages
from coc_check.texts.responses import left_undone_or_once
from coc_core.errors import StepFault
from coc_core.execution import Anchor
from coc_core.memories import Convention, Memory, Target
from coc_core.plugin import ArithmeticSpec, MemorySpec
from coc_core.setting import Setting, make_a
from coc_core.types import Limits, Step


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
        """Return a walk of a problem that is not a task of the stage."""
        return cls(stage, Task(problem, (), 0), limits)

    def fork(self) -> "Walk":
        """Return another walk at the same place."""
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
        """Return what the policy writes next."""
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
        """Return whether the machine would end the run as one that never halts. Called once before each step."""
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
        """Return what can be seen of the memory now."""
        found, windows = self.memory.read(self.contents), tuple(self.memory.windows(self.contents))
        return View(windows, -1 if found is None else found[0], self.prompt)

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
            made = make_a(
                Convention, self.registry, self.spec, self.spec.convention, Drill(), oracle.notation, Limits()
            )
            convention: Convention[Any, Any] = made
            setting = Setting(self.registry, Drill(), self.spec, oracle, convention, Limits())
            found.setdefault(convention.dialect, Stage(setting, ()))
        return tuple(found.values())

    @cached_property
    def watched(self) -> Collection[type]:
        """The classes of the memory and of its convention."""
        walk = Walk.of(self.drills[0], Grow("deep", 1))
        return type(walk.memory), type(walk.convention)

    def walks(self, limits: Limits | None = None) -> list[Walk]:
        """Return a walk at the first step of each task of each stage."""
        return [Walk(stage, task, limits) for stage in self.stages for task in stage.tasks]

    def long_walks(self, limits: Limits | None = None) -> list[Walk]:
        """Return a walk at the first step of the longest task of each stage."""
        return [Walk(stage, stage.tasks[-1], limits) for stage in self.stages]


def twice(walk: Walk) -> str:
    """Return a target that leaves the next instruction to be done twice; once where a step can leave but one."""
    return left_undone_or_once(walk.convention, str(walk.prompt), 2)


def around(walk: Walk, taken: int) -> Iterator[str]:
    """Targets that lead back to where the memory is after `taken` steps of the policy; none if no such target is known.

    Either nothing is written and each register stays, or the same instruction is written once more.
    """
    for text in (_staying(walk), _again(walk, walk.prompt)):
        if text and _leads_back(Walk(walk.stage, walk.task).go(taken), text):
            yield text


def _staying(walk: Walk) -> str:
    convention = walk.convention
    _, shown = convention.parse_prompt(str(walk.prompt))
    surface = convention.surface.registers
    if surface is None:
        return ""
    return convention.format(Target((), (), {name: str(shown.get(name, name)) for name in surface.fields}))


def _again(walk: Walk, prompt: str | None) -> str:
    """Return the target that does nothing at `walk` but leave the instruction of another prompt."""
    convention = walk.convention
    instruction, _ = convention.parse_prompt(str(prompt))
    _, registers = convention.parse_prompt(str(walk.prompt))
    return convention.format(convention.compose(Step[Any, Any](then=(instruction,)), registers))


def _leads_back(walk: Walk, text: str) -> bool:
    before = walk.view()
    try:
        walk.take(text)
    except StepFault:
        return False
    return walk.view() == before
