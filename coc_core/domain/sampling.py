"""Drawing problems by seed, for training or for testing, so that no test problem is ever trained on.

The text of a problem decides to which part it belongs, whoever draws it, whenever and with what seed. So two sets
from different parts are disjoint by construction, without a list of what was drawn. A size that has one problem only
can't be split: that problem is in both parts, and what is held out there are single steps.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Any, NamedTuple

from coc_core.domain.base import Domain
from coc_core.domain.near_goal import near_goal_problem
from coc_core.errors import UsageError

_TEST_SHARE = 5  # one problem in five is for testing
_SEEDS = 1_000_000  # numbers of seeds that one base seed stands for
_PATIENCE = 1_000  # draws in a row that may miss the part


class Split(StrEnum):
    """Which problems are drawn from: those for training, those for testing, or all of them."""

    train = "train"
    test = "test"
    all = "all"


class Draw(NamedTuple):
    """A problem of size `n`: what `domain.problem(n, seed)` gives, or, with no seed, one that is found otherwise."""

    n: int
    seed: int | None
    problem: Any


def split_of(domain: Domain[Any, Any, Any, Any], problem: Any) -> Split:
    """The part that a problem belongs to, `train` or `test`."""
    text = f"{domain.name} {domain.problems.format(problem)}"
    return Split.train if sha256(text.encode()).digest()[0] % _TEST_SHARE else Split.test


def _is_of(part: Split, domain: Domain[Any, Any, Any, Any], problem: Any) -> bool:
    return part in (Split.all, split_of(domain, problem))


def draw(
    domain: Domain[Any, Any, Any, Any], n: int, count: int, seed: int = 0, part: Split = Split.all
) -> Iterator[Draw]:
    """`count` problems of size `n` from one part, each drawn uniformly and independently of the others.

    The base seed s stands for the seeds s * 10^6, s * 10^6 + 1 and so on, so sets of different base seeds share no
    seed. Where there is only one problem, it is drawn once. UsageError for a bad size, or if the part has no problem.
    """
    return _drawn(domain, n, count, seed, part, domain.problem)


def draw_near_goal(
    domain: Domain[Any, Any, Any, Any], n: int, count: int, seed: int = 0, part: Split = Split.all
) -> Iterator[Draw]:
    """As `draw`, but problems that are nearly solved, of no seed; UsageError, too, if the domain draws none."""
    drawn = _drawn(domain, n, count, seed, part, partial(near_goal_problem, domain))
    return (found._replace(seed=None) for found in drawn)


def _drawn(
    domain: Domain[Any, Any, Any, Any], n: int, count: int, seed: int, part: Split, make: Callable[[int, int], Any]
) -> Iterator[Draw]:
    if single(domain, n):
        if count:
            yield Draw(n, seed * _SEEDS, make(n, seed * _SEEDS))
        return
    found, missed = 0, 0
    for candidate in range(seed * _SEEDS, (seed + 1) * _SEEDS):
        if found == count:
            return
        problem = make(n, candidate)
        if _is_of(part, domain, problem):
            found, missed = found + 1, 0
            yield Draw(n, candidate, problem)
        else:
            missed += 1
            if missed == _PATIENCE:
                break
    raise UsageError(
        f"found {found} of {count:,} problems of {domain.name} with n={n} in the part {part.value!r}",
        remedy="choose a larger n, or draw from all",
    )


def enumerate_first(domain: Domain[Any, Any, Any, Any], n: int, count: int, part: Split = Split.all) -> Iterator[Draw]:
    """Those of the first `count` problems of size `n` (`Domain.every_problem`) that are of one part.

    A list often begins with what a random draw hardly ever meets, such as a stack that is sorted already, and nearly.
    """
    for drawn in islice(enumerate_all(domain, n), count):
        if _is_of(part, domain, drawn.problem):
            yield drawn


def enumerate_all(domain: Domain[Any, Any, Any, Any], n: int) -> Iterator[Draw]:
    """Every problem of size `n` (`Domain.every_problem`), one after the other."""
    return (Draw(n, None, problem) for problem in domain.every_problem(n))


def single(domain: Domain[Any, Any, Any, Any], n: int) -> bool:
    """Whether there is only one problem of size `n`."""
    return len(list(islice(domain.every_problem(n), 2))) == 1
