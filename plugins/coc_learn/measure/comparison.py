"""Paired comparison: two evaluations on the same problems, and whether their difference can be chance."""

from collections import Counter
from collections.abc import Sequence
from math import exp, fsum, lgamma, log

from attrs import astuple, frozen

from coc_core.errors import UsageError
from coc_learn.measure.success import Evaluation


@frozen
class Paired:
    """How the same problems ended in two evaluations.

    Attributes:
        n: The size of the problems; 0 for all sizes together.
        both: How many problems were solved by both.
        only_first: How many by the first alone.
        only_second: How many by the second alone.
        neither: How many by neither.
    """

    n: int
    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def problems(self) -> int:
        """How many problems there are."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def p_value(self) -> float:
        """Of McNemar's exact test, two-sided: how likely so large a difference is between two that are equally good.

        Q. McNemar, Note on the sampling error of the difference between correlated proportions or percentages,
        Psychometrika 12 (1947), p. 153-157. The exact test takes the binomial distribution in place of chi-squared.
        """
        total, fewer = self.only_first + self.only_second, min(self.only_first, self.only_second)
        tail = fsum(
            exp(lgamma(total + 1) - lgamma(count + 1) - lgamma(total - count + 1) - total * log(2))
            for count in range(fewer + 1)
        )
        return min(1.0, 2 * tail)


def paired(first: Evaluation, second: Evaluation) -> list[Paired]:
    """Compare two evaluations, size by size; UsageError unless they are of the same problems, with all failures."""
    sizes = [{n: score.instances for n, score in each.scores.items()} for each in (first, second)]
    if sizes[0] != sizes[1] or any(each.interrupted for each in (first, second)):
        raise UsageError("two evaluations can only be compared if both ran the same problems to the end")
    if any(each.failed > len(each.failures) for each in (first, second)):
        raise UsageError("too many problems failed for a comparison", remedy="evaluate fewer problems")
    failed = [{(failure.n, failure.seed, failure.problem) for failure in each.failures} for each in (first, second)]
    by_first, by_second, by_both = (
        Counter(n for n, *_ in some) for some in (failed[0] - failed[1], failed[1] - failed[0], failed[0] & failed[1])
    )
    return [
        Paired(n, count - by_first[n] - by_second[n] - by_both[n], by_second[n], by_first[n], by_both[n])
        for n, count in sizes[0].items()
    ]


def together(sizes: Sequence[Paired]) -> Paired:
    """Return all sizes together, with n = 0."""
    return Paired(0, *(sum(counts) for counts in zip(*(astuple(each)[1:] for each in sizes), strict=True)))
