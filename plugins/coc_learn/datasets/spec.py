"""Dataset specs: which problems are drawn for a setting, and which of their pairs are held out."""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import chain
from typing import Annotated, Any

from attrs import field, frozen

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.text import format_sizes
from coc_learn.datasets.pairs import Seen, check_fraction, hold_out, is_held_out, step_key, teacher_pairs
from coc_learn.trainer import SizeTest
from coc_problems import MOST_SIZES, Split, enumerate_first, sample_near_goal, sample_problems

_GREATEST = 10**18
_Number = Annotated[int, range(_GREATEST + 1)]


class HoldOutBy(StrEnum):
    """What is held out: steps (`step_key`) with all of their pairs, the same in every dialect; single pairs of each
    dialect, as in the paper; or whole problems, with all pairs that no training problem has.
    """

    steps = "steps"
    pairs = "pairs"
    instances = "instances"


def _ascending(sizes: Iterable[int]) -> tuple[int, ...]:
    found = tuple(sorted(set(sizes)))
    if not found:
        raise UsageError("a dataset needs at least one size")
    return found


@frozen
class DatasetSpec:
    """Which problems are drawn, and which of their pairs are held out.

    Args:
        sizes: The sizes of the problems, at least one.
        instances: How many problems of each size are drawn.
        split: The split that problems are drawn from.
        holdout_by: What is held out.
        holdout: The fraction that is held out, from 0 to below 1.
        seed: Draws the problems and the hold-out.
        enumerated: Of the first so many problems of each size, those of the split are added (`enumerate_first`).
        near_goal: So many near-goal problems of each size are added (`sample_near_goal`).

    Raises:
        UsageError: If there is no size, or the hold-out leaves nothing to train on.
    """

    sizes: Annotated[tuple[_Number, ...], range(1, MOST_SIZES + 1)] = field(converter=_ascending)
    instances: Annotated[int, range(1, _GREATEST + 1)] = 1
    split: Split = Split.train
    holdout_by: HoldOutBy = HoldOutBy.steps
    holdout: float = field(default=0.15, validator=lambda _spec, _field, value: check_fraction(value))
    seed: Annotated[int, range(-_GREATEST, _GREATEST + 1)] = 0
    enumerated: _Number = 0
    near_goal: _Number = 0

    def __str__(self) -> str:
        sizes = f"n={format_sizes(self.sizes)}"
        each = f", {self.instances:,} instances of each n" if self.instances > 1 else ""
        enumerated = f" and the first {self.enumerated:,} enumerated" if self.enumerated else ""
        near_goal = f" and {self.near_goal:,} near-goal" if self.near_goal else ""
        return (
            f"{sizes}{each}{enumerated}{near_goal}, hold-out {100 * self.holdout:g}% of the {self.holdout_by},"
            f" seed {self.seed}"
        )

    def drawn(self, setting: Setting) -> Iterator[Any]:
        """Yield the problems in the order of sizes; UsageError if there are none, or no near-goal ones, of a size."""
        for n in (self.sizes[0], self.sizes[-1]):
            setting.domain.check_size(n)
        for n in self.sizes:
            yield from (
                instance.problem
                for instance in chain(
                    sample_problems(setting.domain, n, self.instances, self.seed, self.split),
                    enumerate_first(setting.domain, n, self.enumerated, self.split),
                    sample_near_goal(setting.domain, n, self.near_goal, self.seed, self.split),
                )
            )


def size_tests(setting: Setting, sizes: Iterable[int], instances: int, seed: int) -> Iterator[SizeTest]:
    """Yield tests: so many problems of each size from the test split, which no training sees; UsageError if none."""
    for n in sizes:
        spec = DatasetSpec((n,), instances, Split.test, holdout=0.0, seed=seed)
        problems = {setting.domain.problems.format(problem): problem for problem in spec.drawn(setting)}
        yield SizeTest(n, len(problems), list(teacher_pairs(setting, problems.values())))


def divided_pairs(
    setting: Setting,
    spec: DatasetSpec,
    problems: Iterable[Any] | None = None,
    through: Callable[[Iterable[Pair]], Iterable[Pair]] = iter,
) -> tuple[list[Pair], list[Pair]]:
    """Return the distinct pairs of a spec: those to train on, and those held out. Its `problems` may have been drawn
    before. The pairs pass `through` a function, which may count them.
    """
    some, seen = list(spec.drawn(setting) if problems is None else problems), Seen()
    if spec.holdout_by is HoldOutBy.instances:
        train, heldout = hold_out(some, spec.holdout, spec.seed)
        first = list(through(teacher_pairs(setting, train, seen)))
        return first, list(through(teacher_pairs(setting, heldout, seen)))
    pairs = list(through(teacher_pairs(setting, some, seen)))
    if spec.holdout_by is HoldOutBy.pairs:
        return hold_out(pairs, spec.holdout, spec.seed)
    halves: tuple[list[Pair], list[Pair]] = [], []
    for pair in pairs:
        step = step_key(setting.convention, pair.prompt).step if spec.holdout else ""
        halves[is_held_out(step, spec.holdout, spec.seed)].append(pair)
    return halves
