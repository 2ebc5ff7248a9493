"""Checks of a domain's names and problems."""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

from coc_check.check import PLAIN_NAME, needs, one_line, require, trying
from coc_check.domain.subject import DomainSubject
from coc_check.domain.writing import round_trip, small_mistakes
from coc_core.domain import NearGoal, parse_problem
from coc_core.errors import UsageError
from coc_core.text import format_sizes, quoted
from coc_problems import near_goal_problem

SIZES, SEEDS = 6, 4  # the smallest sizes that the domain accepts
LISTED = 200  # problems of an enumeration
NEEDS = ("types_are_right",)


def names_are_plain(subject: DomainSubject) -> None:
    """The domain is called what it is offered as, in lower-case letters, digits and dashes; its summary is one line.

    Run files and checkpoints name a domain by `Domain.name` and find it by the name in its `DomainSpec`.
    """
    own, given, summary = subject.domain.name, subject.spec.name, subject.spec.summary
    require(own == given, f"the domain is called {quoted(own)}, and it is offered as {quoted(given)}")
    require(bool(PLAIN_NAME.fullmatch(own)), f"the name {quoted(own)} is not of lower-case letters, digits and dashes")
    require(one_line(summary), f"the summary {quoted(summary)} is not one line of printable ASCII")


def seeds_decide(subject: DomainSubject) -> None:
    """A size and a seed always draw the same problem, of that size, whatever was drawn before.

    Take every random choice from the generator that `_problem` is given, and `near_goal_problem` where there is one,
    and keep nothing from one call to the next.
    """
    ways: list[Callable[[int, int], Any]] = [subject.domain.problem]
    if isinstance(subject.domain, NearGoal):
        ways.append(partial(near_goal_problem, subject.domain))
    for n, draw in product(subject.domain.sizes[:SIZES], ways):
        first = [draw(n, seed) for seed in range(SEEDS)]
        again = [draw(n, seed) for seed in reversed(range(SEEDS))]
        for seed, (one, other) in enumerate(zip(first, again[::-1], strict=True)):
            where = f"n={n}, seed={seed}"
            require(one == other, f"it draws another problem the second time: {one!r} and {other!r}", where)
            size = subject.domain.size(one)
            require(size == n, f"the problem {one!r} has the size {size}", where)


def bad_sizes_are_refused(subject: DomainSubject) -> None:
    """A size that the domain does not list is a UsageError.

    `Domain.problem` and `Domain.every_problem` see to it as long as nobody overrides them or `check_size`.
    """
    sizes = subject.domain.sizes
    for n in (sizes[0] - 1, sizes[-1] + 1):
        for draw in (subject.domain.problem, subject.domain.every_problem):
            try:
                draw(n)
            except UsageError:
                continue
            require(False, f"size {n} is accepted, although the sizes are {sizes}", f"n={n}")


def problems_are_listed_once(subject: DomainSubject) -> None:
    """Every problem of a size is listed once, always in the same order, and has that size.

    Look at `_every_problem`: a set has no order of its own, and two paths may lead to one problem.
    """
    domain = subject.domain
    if domain._every_problem(domain.sizes[0]) is None:
        return
    subject.tried["lists of problems"] = f"n = {format_sizes(domain.sizes[:SIZES])}, at most {LISTED} each"
    for n in domain.sizes[:SIZES]:
        listed = subject.listed(n, LISTED)
        require(bool(listed), f"no problem of size {n} is listed", f"n={n}")
        seen = set[str]()
        for problem in listed:
            text = domain.problems.format(problem)
            require(text not in seen, f"a problem of size {n} is listed twice", text)
            require(domain.size(problem) == n, f"a problem listed for {n} has the size {domain.size(problem)}", text)
            seen.add(text)
        require(listed == subject.listed(n, LISTED), f"size {n} is listed in two ways", f"n={n}")


@needs("seeds_decide")
def problems_round_trip(subject: DomainSubject) -> None:
    """The text of a problem is read back as the same problem.

    Compare `parse` and `format` of the codecs in `problems`: a list where the record holds a tuple is enough.
    """
    for problem in subject.problems:
        round_trip(subject.domain.problems, problem)
        text = subject.domain.problems.format(problem)
        with trying(text):
            require(parse_problem(subject.domain, text) == problem, f"{text} is read as another one", text)


@needs("problems_round_trip")
def malformed_problems_are_refused(subject: DomainSubject) -> None:
    """Whatever text a person types is a problem or a UsageError.

    A codec's `parse` may raise nothing but ValueError, and `size` has to work for whatever is read.
    """
    for text in small_mistakes(list(map(subject.domain.problems.format, subject.problems))):
        with trying(text):
            try:
                parse_problem(subject.domain, text)
            except UsageError as error:
                require("\n" not in str(error), f"the message is more than one line: {error}", text)
