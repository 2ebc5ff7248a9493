"""The problems of an evaluation: which are drawn, and whether they can be run."""

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any, ClassVar

from attrs import field, frozen

from coc_core.api import check_length
from coc_core.domain import Domain
from coc_core.errors import UsageError
from coc_core.setting import Setting
from coc_core.text import format_sizes
from coc_core.types import DEFAULT_SIZE
from coc_problems.options import DEFAULT_INSTANCES, ManyProblems, sizes_of
from coc_problems.plan import check_searchable
from coc_problems.sampling import (
    Instance,
    Split,
    enumerate_all,
    lists_single_problem,
    near_goal_problem,
    sample_near_goal,
    sample_problems,
)


@frozen
class Problems:
    """Which problems are drawn: `count` of each size from one split, or every problem of each size.

    Make one with `Problems.of`. Two that choose the same problems are equal.
    """

    domain: Domain[Any, Any, Any, Any] = field(eq=attrgetter("name"))
    sizes: tuple[int, ...]
    count: int
    split: Split
    seed: int
    near_goal: bool
    exhaustive: bool
    _single: dict[int, bool] = field(init=False, factory=dict, eq=False, repr=False)
    note: ClassVar[str] = ""

    def __repr__(self) -> str:
        many = "every problem" if self.exhaustive else f"{self.count:,} of each, {self.split}"
        return f"Problems({self.domain.name}, n={format_sizes(self.sizes):.60}, {many})"

    @classmethod
    def of(cls, domain: Domain[Any, Any, Any, Any], options: ManyProblems) -> "Problems":
        """Return the problems that the options choose; UsageError if they contradict each other."""
        instances, near_goal, split = options.instances, options.near_goal, options.split
        if options.exhaustive and (instances is not None or near_goal is not None or split is not None):
            raise UsageError("--exhaustive runs every problem", remedy="leave out --instances, --near-goal and --split")
        if near_goal is not None and instances is not None:
            raise UsageError("--near-goal draws other problems than --instances", remedy="choose one of them")
        return cls(
            domain,
            sizes_of(DEFAULT_SIZE if options.sizes is None else options.sizes),
            next((count for count in (near_goal, instances) if count is not None), DEFAULT_INSTANCES),
            Split.test if split is None else split,
            options.seed,
            near_goal is not None,
            options.exhaustive,
        )

    def check(self, setting: Setting, *, running: bool = True, optimal: bool = False) -> None:
        """Raise UsageError if the domain has no such problems, or their runs, if asked for, or search are too long."""
        for n in dict.fromkeys((self.sizes[0], self.sizes[-1])):
            largest = self.domain.problem(n)
        if running:
            check_length(setting, largest)
        if optimal:
            check_searchable(self.domain, largest)
        if self.near_goal:
            near_goal_problem(self.domain, self.sizes[0])

    @property
    def total(self) -> int | None:
        """How many problems there are; None where every problem is drawn, which are counted as they come.

        Of a size that is found to have only one, there are fewer once it is drawn.
        """
        return None if self.exhaustive else sum(1 if self._is_single(n) else self.count for n in self.sizes)

    def sampled(self, sizes: Iterable[int]) -> bool:
        """Return whether those of these sizes, once drawn, are a sample, so that a rate over them has an interval."""
        return not self.exhaustive and not all(map(self._is_single, sizes))

    def _is_single(self, n: int) -> bool:
        if n not in self._single:
            self._single[n] = bool(lists_single_problem(self.domain, n))
        return self._single[n]

    def document(self) -> dict[str, Any]:
        """Return which problems these are, as plain data."""
        return {
            "problems": "exhaustive" if self.exhaustive else str(self.split),
            "near_goal": self.near_goal,
            "seed": None if self.exhaustive else self.seed,
            "unsupported": [],
        }

    def __iter__(self) -> Iterator[Instance]:
        some = sample_near_goal if self.near_goal else sample_problems
        for n in self.sizes:
            if self.exhaustive:
                yield from enumerate_all(self.domain, n)
                continue
            drawn = 0
            for instance in some(self.domain, n, self.count, self.seed, self.split):
                drawn += 1
                yield instance
            if drawn == 1 < self.count:
                self._single[n] = True
