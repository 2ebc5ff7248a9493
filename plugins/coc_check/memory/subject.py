"""A memory under test: the stages, runs and places on which it can be tried; and a domain with deep and long runs."""

import random
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any, NamedTuple

from attrs import evolve, frozen

from coc_check.check import Subject, require
from coc_check.plain import Trace, run_plainly
from coc_check.scripted import Scripted
from coc_check.stage import ARITHMETICS, Stage, stages
from coc_core.domain import Domain
from coc_core.memories import Convention, Memo, Memory
from coc_core.plugin import DomainSpec, MemorySpec, Plugin, Registry
from coc_core.setting import Setting, make_a
from coc_core.text import Codec, Form, Forms
from coc_core.types import Limits, Step


@frozen
class Grow:
    """The problem and an instruction: a run of this shape and size; or the mark that an action makes."""

    shape: str
    n: int


_SHAPE = Codec(str)
_mark = partial(Grow, "mark")


class Drill(Domain[Grow, Grow, Grow, int]):
    """Marks are made in an order that the shape gives; a state is how many have been made.

    deep   n windows wait, one above the other, before the first is run
    wide   one step writes n windows
    comb   steps write four windows each, n deep
    twins  the same windows come again and again: 2^(n+1) - 1 steps
    long   a window has a text of n letters
    """

    name = "drill"
    sizes = range(1_000_000)
    problems = Forms(Form.of(Grow, "{shape} n={n}", shape=_SHAPE))
    instructions = Forms(Form.of(Grow, "GROW {shape} n={n}", shape=_SHAPE))
    actions = Forms(Form.of(Grow, "Make {shape} {n}", shape=_SHAPE))

    def _problem(self, n: int, rng: random.Random) -> Grow:
        return Grow("deep", n)

    def size(self, problem: Grow) -> int:
        return problem.n

    def start(self, problem: Grow) -> Grow:
        return problem

    def expand(self, instruction: Grow) -> Step[Grow, Grow]:
        match instruction:
            case Grow("wide", n):
                return Step(then=tuple(map(_mark, range(1, n + 1))))
            case Grow("long", n):
                return Step(then=(Grow(n * "x", n), _mark(n)))
            case Grow("deep", n) if n:
                return Step(then=(Grow("deep", n - 1), _mark(n)))
            case Grow("comb", n) if n:
                return Step(then=(_mark(3 * n), Grow("comb", n - 1), _mark(3 * n + 1), _mark(3 * n + 2)))
            case Grow("twins", n) if n:
                return Step(then=2 * (Grow("twins", n - 1),))
            case _:
                return Step((instruction,))

    def initial(self, problem: Grow) -> int:
        return 0

    def apply(self, state: int, action: Grow) -> int:
        return state + 1

    def is_goal(self, problem: Grow, state: int) -> bool:
        return True  # the whole plan is compared


class View(NamedTuple):
    """What can be seen of a memory: its windows, which one is next, and its prompt."""

    windows: tuple[str, ...]
    pointer: int
    prompt: str | None


@frozen
class Place:
    """Contents of a memory, from which steps lead to others. Each step is whatever text it is given."""

    stage: Stage
    problem: Any
    memory: Memory[Any, Any, Any]
    contents: Any

    @property
    def convention(self) -> Convention[Any, Any]:
        """How the domain is expressed on the memory."""
        return self.stage.setting.convention

    @property
    def longest(self) -> bool:
        """Whether the problem is the longest of its stage."""
        return self.problem in [task.problem for task in self.stage.tasks[-1:]]

    @property
    def window(self) -> Any:
        """The next window; None once the memory has halted."""
        return (self.memory.read(self.contents) or (-1, None))[1]

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
        """What can be seen of the contents."""
        found, windows = self.memory.read(self.contents), tuple(self.memory.windows(self.contents))
        return View(windows, -1, None) if found is None else View(windows, found[0], self.convention.prompt(found[1]))

    def after(self, text: str | None = None) -> "Place":
        """Return the place after a target, by default the policy's, whatever its actions are; or raise its fault."""
        parsed = self.convention.parse(self.target if text is None else text)
        write = self.convention.resolve(parsed, self.window, self.stage.setting.arithmetic)
        return evolve(self, contents=self.memory.write(self.contents, write))

    def steps(self) -> Iterator["Place"]:
        """Yield this place and those that the policy comes to, each before its step."""
        place = self
        while place.window is not None:
            yield place
            place = place.after()


class MemorySubject(Subject):
    """One installed memory with its convention."""

    kind = MemorySpec

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Each domain that can be run on it, in each notation of its convention; Nonconforming if there is none."""
        found = tuple(stages(self.registry, [self.name]))
        require(bool(found), f"no installed domain runs on {self.name}")
        return found

    @cached_property
    def drills(self) -> tuple[Stage, ...]:
        """The memory with the `Drill`, in each notation of its convention."""
        spec = DomainSpec("drill", f"{__name__}:Drill", "deep, wide and long runs")
        registry = Registry.of([*self.registry.plugins, Plugin("drill", __name__, "", "", (spec,))])
        settings = (Setting.of(registry, "drill", self.name, arith) for arith in ARITHMETICS)
        return tuple({each.convention.dialect: Stage(each, ()) for each in settings}.values())

    @cached_property
    def watched(self) -> tuple[type, ...]:
        first = self.begin(self.drills[0], Grow("deep", 1))
        return type(first.memory), type(first.convention)

    def begin(self, stage: Stage, problem: Any, limits: Limits | None = None) -> Place:
        """Return the first place of a problem."""
        self.at, setting = stage.named(problem), stage.setting
        memory: Memory[Any, Any, Any] = make_a(
            Memory, self.registry, self.spec, self.spec.factory, limits or setting.limits
        )
        return Place(stage, problem, memory, memory.start(setting.convention.first_window(problem)))

    def starts(self, limits: Limits | None = None, *, longest: bool = False) -> Iterator[Place]:
        """Yield the first place of each task of each stage, or of the longest one."""
        for stage in self.stages:
            for task in stage.tasks[-1:] if longest else stage.tasks:
                yield self.begin(stage, task.problem, limits)

    def run(
        self, stage: Stage, problem: Any, limits: Limits | None = None, respond: Callable[[str], str] | None = None
    ) -> Trace:
        """Return the whole run of a problem, with the policy's targets or with those of `respond`."""
        self.at = stage.named(problem)
        setting = evolve(stage.setting, limits=limits) if limits else stage.setting
        return run_plainly(setting, problem, Scripted(Memo(respond)) if respond else None)
