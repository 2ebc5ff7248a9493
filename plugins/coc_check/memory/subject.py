"""A memory under test: the stages on which it can be tried."""

from collections.abc import Collection
from functools import cached_property
from typing import Any

from coc_check.check import require
from coc_check.memory.drill import Drill, Grow
from coc_check.memory.walk import Walk
from coc_check.stage import Stage, Subject, own_arithmetics, plain_stages
from coc_core.memories import Convention
from coc_core.plugin import ArithmeticSpec, MemorySpec
from coc_core.setting import Setting, make_a
from coc_core.types import Limits


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
        """A walk at the first step of each task of each stage."""
        return [Walk(stage, task, limits) for stage in self.stages for task in stage.tasks]

    def long_walks(self, limits: Limits | None = None) -> list[Walk]:
        """A walk at the first step of the longest task of each stage."""
        return [Walk(stage, stage.tasks[-1], limits) for stage in self.stages]
