"""Sampling problems by seed, for training or for testing, so that no test problem is ever trained on.

A hash of its text puts each problem into one split, whatever the seed, the time and the purpose of the draw. So samples
of different splits are disjoint by construction, without a list of what was drawn. A size that has only one problem
can't be split, nor can those of a domain with `few_problems`: these are in both splits, and single steps are held out.
"""

import random
from collections.abc import Iterator
from enum import StrEnum
from hashlib import sha256
from itertools import islice
from typing import Any, NamedTuple

from coc_core.domain import Domain, Translation
from coc_core.errors import UsageError

AnyDomain = Domain[Any, Any, Any, Any]

MOST_PROBLEMS = 1_000_000
"""The largest number of problems of one size that are drawn: that of the seeds that belong to one base seed."""

_TEST_SHARE = 5  # one problem in five is for testing
_SEEDS = 20  # that draw the same problem where there is only one
_PATIENCE = 1_000  # draws in a row that may miss the split


class Split(StrEnum):
    """The problems for training, those for testing, or all of them."""

    train = "train"
    test = "test"
    all = "all"


class Instance(NamedTuple):
    """A problem of size `n`. If `seed` is not None, `domain.problem(n, seed)` is the problem.

    `source` says where a problem of the user's comes from, such as `mine.jsonl:17`; it is empty for all others. If it
    was translated from another language, `translation` knows the words of that one.
    """

    n: int
    seed: int | None
    problem: Any
    source: str = ""
    translation: Translation | None = None

    def text(self, domain: AnyDomain) -> str:
        """Return the problem as text, and which translation it comes from; another text may have other plans."""
        text = domain.problems.format(self.problem)
        return text if self.translation is None else f"{text} ({self.translation.fingerprint})"


def split_of(domain: AnyDomain, problem: Any) -> Split:
    """Return the split that a problem belongs to, `train` or `test`."""
    text = f"{domain.name} {domain.problems.format(problem)}"
    return Split.train if sha256(text.encode()).digest()[0] % _TEST_SHARE else Split.test


def sample_problems(
    domain: AnyDomain, n: int, count: int, seed: int = 0, split: Split = Split.all
) -> Iterator[Instance]:
    """Draw problems of size `n` uniformly and independently of each other; a single one is drawn once.

    The base seed s draws problems by the seeds s * 10^6, s * 10^6 + 1 and so on, so that other base seeds share none.
    UsageError if the size is out of range, or the split has no problem of this size.
    """
    instances = (Instance(n, number, domain.problem(n, number)) for number in _seeds(seed))
    return _select(domain, n, count, split, instances)


def near_goal_problem(domain: AnyDomain, n: int, seed: int = 0) -> Any:
    """Return the problem of size `n` near the goal that `seed` draws, if the domain has `near_goal_problem`; UsageError
    for a bad size, or if it has none.
    """
    domain.check_size(n)
    draw = getattr(domain, "near_goal_problem", None)
    if draw is None:
        raise UsageError(f"{domain.name} has no near-goal problems", remedy="leave out --near-goal")
    # The text seeds the draw: with another one, recorded commands would draw other problems.
    return draw(n, random.Random(f"{domain.name} nearly solved {n} {seed}"))


def sample_near_goal(
    domain: AnyDomain, n: int, count: int, seed: int = 0, split: Split = Split.all
) -> Iterator[Instance]:
    """Draw near-goal problems, without seeds, as `sample_problems`; UsageError also if the domain has none."""
    instances = (Instance(n, None, near_goal_problem(domain, n, number)) for number in _seeds(seed))
    return _select(domain, n, count, split, instances)


def enumerate_first(domain: AnyDomain, n: int, count: int, split: Split = Split.all) -> Iterator[Instance]:
    """Return the problems of one split among the first `count` of size `n`, in the order of `Domain.every_problem`.

    An enumeration often begins with problems that a random draw hardly ever finds, such as a stack that is sorted.
    """
    first = islice(enumerate_all(domain, n), count) if count else ()  # a domain need not list its problems
    return (found for found in first if _in_split(split, domain, found.problem))


def enumerate_all(domain: AnyDomain, n: int) -> Iterator[Instance]:
    """Return every problem of size `n`, in the order of `Domain.every_problem`; UsageError for a size out of range."""
    return (Instance(n, None, problem) for problem in domain.every_problem(n))


def lists_single_problem(domain: AnyDomain, n: int) -> bool | None:
    """Return whether the domain lists a single problem of size `n`, drawing none; None if it lists none."""
    try:
        return len(list(islice(domain.every_problem(n), 2))) == 1
    except UsageError:
        return None


def _told_apart(instances: Iterator[Instance]) -> Iterator[Instance]:
    """Yield the instances; only the first if many draws in a row give its problem, since then there is no other one."""
    alike: list[Instance] = []
    for instance in instances:
        if alike and instance.problem != alike[0].problem:
            yield from alike[1:]
            yield instance
            yield from instances
            return
        alike.append(instance)
        if len(alike) == 1:
            yield instance
        elif len(alike) == _SEEDS:
            return


def _seeds(base: int) -> range:
    return range(base * MOST_PROBLEMS, (base + 1) * MOST_PROBLEMS)


def _in_split(split: Split, domain: AnyDomain, problem: Any) -> bool:
    return domain.few_problems or split in (Split.all, split_of(domain, problem))


def _select(domain: AnyDomain, n: int, count: int, split: Split, instances: Iterator[Instance]) -> Iterator[Instance]:
    """Yield the first `count` instances in the split, or the first of all where a size has one problem."""
    single = lists_single_problem(domain, n)
    if single:
        yield from islice(instances, min(count, 1))
        return
    if single is None:
        instances = _told_apart(instances)
    found, missed, left_out = 0, 0, list[Instance]()
    while found < count and missed < _PATIENCE and (instance := next(instances, None)):
        if _in_split(split, domain, instance.problem):
            found, missed = found + 1, 0
            yield instance
        else:
            missed, left_out = missed + 1, [instance]
    if found < count and found + missed == 1:  # there is no other problem
        yield from left_out
    elif found < count:
        raise UsageError(
            f"found {found} of {count:,} problems of {domain.name} with n={n} in the split {split.value!r}",
            remedy="choose a larger n, or draw from all",
        )
