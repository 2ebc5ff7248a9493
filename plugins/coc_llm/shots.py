"""The examples before a prompt: pairs of the teacher, from problems for training."""

from collections.abc import Iterator, Sequence
from itertools import islice

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.text import counted
from coc_learn.datasets import sampling_buckets, teacher_pairs
from coc_problems import Split, sample_problems

_SIZES = 12  # the smallest ones, which examples come from
_PROBLEMS = 4  # of a size
_PAIRS = 400  # of a size, at most


@frozen
class Shots:
    """Examples, one more than are needed, of which one is left out, if possible that with the prompt at hand."""

    pairs: Sequence[Pair] = ()

    @classmethod
    def of(cls, setting: Setting, count: int) -> "Shots":
        """Choose examples that cover many kinds of steps, `count` for a prompt; UsageError if there are too few pairs.

        The candidates are the teacher's pairs for problems of the training split, four of each of the 12 smallest
        sizes. One after another, that pair is taken which belongs to the most sampling buckets
        (`coc_learn.datasets.sampling_buckets`) that no pair has covered yet; of several, the first.
        """
        if not count:
            return cls()
        candidates = list(_candidates(setting))
        if len(candidates) <= count:
            raise UsageError(
                f"{counted(count, 'example')} can't be chosen from {counted(len(candidates), 'pair')}",
                remedy="lower shots",
            )
        buckets = [set(sampling_buckets(pair)) for pair in candidates]
        covered: set[str] = set()
        chosen: list[int] = []
        left = list(range(len(candidates)))
        for _ in range(count + 1):
            best = max(left, key=lambda index: len(buckets[index] - covered))
            if not buckets[best] - covered:  # all kinds are covered: begin again
                covered.clear()
                best = max(left, key=lambda index: len(buckets[index]))
            chosen.append(best)
            left.remove(best)
            covered |= buckets[best]
        return cls(tuple(candidates[index] for index in chosen))

    def before(self, prompt: str) -> Sequence[Pair]:
        """Return the examples for a prompt, which is not among them."""
        return [pair for pair in self.pairs if pair.prompt != prompt][: max(0, len(self.pairs) - 1)]


def _candidates(setting: Setting) -> Iterator[Pair]:
    seen = set[str]()
    for n in setting.domain.sizes[:_SIZES]:
        try:
            problems = [found.problem for found in sample_problems(setting.domain, n, _PROBLEMS, split=Split.train)]
        except UsageError:  # all problems of this size are in the other split
            continue
        for pair in islice(teacher_pairs(setting, problems), _PAIRS):
            if pair.prompt not in seen:
                seen.add(pair.prompt)
                yield pair
