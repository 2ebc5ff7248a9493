"""A memory under test: the stages on which it can be tried."""

from functools import cached_property

from coc_core.plugin import MemorySpec
from coc_core.testing.check import require
from coc_core.testing.memory.walk import Walk
from coc_core.testing.stage import Stage, Subject, plain_stages
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

    def walks(self, limits: Limits | None = None) -> list[Walk]:
        """A walk at the first step of each task of each stage."""
        return [Walk(stage, task, limits) for stage in self.stages for task in stage.tasks]

    def long_walks(self, limits: Limits | None = None) -> list[Walk]:
        """A walk at the first step of the longest task of each stage."""
        return [Walk(stage, stage.tasks[-1], limits) for stage in self.stages]
