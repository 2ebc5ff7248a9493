"""A spec for pairs: which problems are drawn for a setting, and which of their pairs are held out."""

from collections.abc import Container, Iterable, Iterator
from enum import StrEnum
from itertools import chain
from typing import Any

from attrs import field, frozen

from coc_core.datasets.pairs import Seen, check_fraction, held_out_indices, hold_out
from coc_core.datasets.teacher import teacher_pairs
from coc_core.domain import Split, enumerate_first, sample_near_goal, sample_problems
from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.text import format_sizes


class HoldOutBy(StrEnum):
    """What is held out: single pairs, or whole problems with all pairs that no other problem has."""

    pairs = "pairs"
    instances = "instances"


def _ascending(sizes: Iterable[int]) -> tuple[int, ...]:
    found = tuple(sorted(set(sizes)))
    if not found:
        raise UsageError("a dataset needs at least one size")
    return found


@frozen
class DatasetSpec:
    """What is drawn: `instances` problems of each of `sizes`, in ascending order, out of one split, by a seed.

    Besides these, those of the first `enumerated` problems of each size of this split (`enumerate_first`),
    and `near_goal` near-goal problems (`sample_near_goal`).
    `holdout` is the fraction of the pairs, or of the instances, that is kept for testing. UsageError if it leaves
    nothing to train on.
    """

    sizes: tuple[int, ...] = field(converter=_ascending)
    instances: int = 1
    split: Split = Split.train
    by: HoldOutBy = HoldOutBy.pairs
    holdout: float = field(default=0.15, validator=lambda _recipe, _field, value: check_fraction(value))
    seed: int = 0
    enumerated: int = 0
    near_goal: int = 0

    def __str__(self) -> str:
        sizes = f"n={format_sizes(self.sizes)}"
        each = f", {self.instances:,} instances of each n" if self.instances > 1 else ""
        listed = f" and the first {self.enumerated:,} enumerated" if self.enumerated else ""
        nearly = f" and {self.near_goal:,} near-goal" if self.near_goal else ""
        return f"{sizes}{each}{listed}{nearly}, hold-out {100 * self.holdout:g}% of the {self.by}, seed {self.seed}"

    def problems(self, setting: Setting) -> list[Any]:
        """The problems in order of size; UsageError for a size, or nearly solved ones, that the domain has not."""
        for n in (self.sizes[0], self.sizes[-1]):
            setting.domain.check_size(n)
        return [
            drawn.problem
            for n in self.sizes
            for drawn in chain(
                sample_problems(setting.domain, n, self.instances, self.seed, self.split),
                enumerate_first(setting.domain, n, self.enumerated, self.split),
                sample_near_goal(setting.domain, n, self.near_goal, self.seed, self.split),
            )
        ]


class PairStream:
    """The distinct pairs of a spec, made while they are iterated over, once; `count` says how many there were.

    Which of them are held out is known when all have been made.
    """

    def __init__(self, setting: Setting, spec: DatasetSpec) -> None:
        self.problems = spec.problems(setting)
        self.count = 0
        self._setting = setting
        self._recipe = spec
        self._from_training = 0

    def __iter__(self) -> Iterator[Pair]:
        spec, seen = self._recipe, Seen()
        learned, held = self.problems, list[Any]()
        if spec.by is HoldOutBy.instances:
            learned, held = hold_out(self.problems, spec.holdout, spec.seed)
        for problems in (learned, held):
            self._from_training = self.count
            for pair in teacher_pairs(self._setting, problems, seen):
                self.count += 1
                yield pair

    def held_out(self) -> Container[int]:
        """The indices of the pairs that are held out."""
        if self._recipe.by is HoldOutBy.instances:
            return range(self._from_training, self.count)
        return held_out_indices(self.count, self._recipe.holdout, self._recipe.seed)
