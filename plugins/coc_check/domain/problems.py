"""Checks of a domain's types, name and problems."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice, permutations, product
from typing import Any

from coc_check.check import PLAIN_NAME, needs, one_line, require
from coc_check.domain.subject import LONGEST_RUN, AnyDomain, DomainSubject
from coc_check.hostile import small_mistakes
from coc_check.results import shown
from coc_core.domain import NearGoal, parse_problem
from coc_core.errors import ActionFault, UsageError
from coc_core.text import Forms, counted, format_sizes, letters_in, names_in, quoted, rename
from coc_problems import closure, has_few_kinds, near_goal_problem, policy_steps

NEEDS = ("types_are_right",)
SIZES = 5  # the smallest ones that the domain accepts
STEPS = 200  # of each policy
SEEDS, DRAWS = 4, 60  # of each size: those that are drawn twice, and those that are looked up in a list
LISTED, MOST = 200, 1_000  # problems of an enumeration: those that are read, and those that are searched
NAMES = 5  # that are tried in every order

ATTRIBUTES: dict[str, tuple[type, str]] = {
    "name": (str, "a text"),
    "sizes": (range, "a range"),
    **dict.fromkeys(("problems", "instructions", "actions", "notes"), (Forms, "Forms")),
    "interchangeable_names": (Collection, "a frozenset"),
    "surfaces": (Mapping, "a mapping"),
}
"""The type of each attribute of a domain, and what it is called."""


@needs()
def types_are_right(subject: DomainSubject) -> None:
    """Each attribute of the domain, and whatever its methods return, has the type that the interface names.

    A method without `return` gives None, a tuple of one needs its comma, and a class is not one of its objects.
    """
    domain, where = subject.domain, subject.where()
    for name, (kind, words) in ATTRIBUTES.items():
        require(hasattr(domain, name), f"the domain has no attribute `{name}`", where=where)
        value = getattr(domain, name)
        require(isinstance(value, kind), f"the attribute `{name}` is {shown(value)}, not {words}", where=where)
    require(len(domain.sizes) > 0, "the attribute `sizes` is empty", where=where)
    known = domain.continuation in ("linked", "chain")
    require(known, f"the attribute `continuation` is {domain.continuation!r}, not 'linked' or 'chain'", where=where)
    for n in domain.sizes[:SIZES]:
        subject.at = f"n={n}"
        problem = domain.problem(n)
        size = domain.size(problem)
        require(size == n, f"the problem {problem!r} of size {n} has the size {size}", where=subject.where("size"))
        listed = subject.listed(n, SIZES)
        _each(subject, "_every_problem", listed, domain.problems.__contains__)
        domain.expect(problem)
        subject.at = domain.problems.format(problem)
        _run(subject, problem)
    if missing := _not_stated(domain):
        subject.tried["not stated"] = ", ".join(missing)


def _not_stated(domain: AnyDomain) -> list[str]:
    """Return what a domain could state and does not, with what an author would write."""
    problem = domain.problem(domain.sizes[0])
    expected = domain.expect(problem)
    optional = {
        "problems of a size (`_every_problem`)": domain._every_problem(domain.sizes[0]),
        "moves (`every_action`)": domain.neighbours(domain.initial(problem)),
        "lengths of runs (`expect`)": expected,
        "the optimum (`Expectation.optimum`)": not expected or expected.optimum or None,
    }
    return [words for words, value in optional.items() if value is None]


def _run(subject: DomainSubject, problem: Any) -> None:
    """Call each method along the run of a problem; what they give is tested whenever they are called."""
    domain, state = subject.domain, subject.domain.initial(problem)
    for _, step in islice(policy_steps(domain, problem), STEPS):
        for action in filter(domain.actions.__contains__, step.emits):
            try:
                after = domain.apply(state, action)
            except ActionFault:
                return
            domain.effect(state, action)
            _each(subject, "neighbours", domain.neighbours(state) or (), lambda neighbour: neighbour is not None)
            state = after
        domain.is_goal(problem, state)
        domain.render(state, 80)


def _each(subject: DomainSubject, method: str, values: Iterable[Any], right: Callable[[Any], bool]) -> None:
    for value in values:
        require(right(value), f"`{method}` has {shown(value)} in it", where=subject.where(method))


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
        for seed, one in reversed([(seed, draw(n, seed)) for seed in range(SEEDS)]):
            subject.at = f"n={n}, seed={seed}"
            other, size = draw(n, seed), subject.domain.size(one)
            require(one == other, f"it draws another problem the second time: {one!r} and {other!r}")
            require(size == n, f"the problem {one!r} has the size {size}")


def problems_are_listed_once(subject: DomainSubject) -> None:
    """Every problem of a size is listed once, always in the same order, and has that size.

    Look at `_every_problem`: a set has no order of its own, and two paths may lead to one problem.
    """
    domain = subject.domain
    if domain._every_problem(domain.sizes[0]) is None:
        return
    subject.tried["lists of problems"] = f"n = {format_sizes(domain.sizes[:SIZES])}, at most {LISTED} each"
    for n in domain.sizes[:SIZES]:
        subject.at, listed, seen = f"n={n}", subject.listed(n, LISTED), set[str]()
        require(bool(listed), f"no problem of size {n} is listed")
        require(listed == subject.listed(n, LISTED), f"size {n} is listed in two ways")
        for problem in listed:
            text = subject.at = domain.problems.format(problem)
            require(text not in seen, f"a problem of size {n} is listed twice")
            require(domain.size(problem) == n, f"a problem listed for {n} has the size {domain.size(problem)}")
            seen.add(text)


@needs("seeds_decide")
def problems_round_trip(subject: DomainSubject) -> None:
    """The text of a problem is read back as the same problem.

    Compare `parse` and `format` of the codecs in `problems`: a list where the record holds a tuple is enough.
    """
    for problem in subject.problems:
        subject.round_trip(subject.domain.problems, problem)
        text = subject.at = subject.domain.problems.format(problem)
        require(parse_problem(subject.domain, text) == problem, f"{text} is read as another one")


@needs("problems_round_trip")
def malformed_problems_are_refused(subject: DomainSubject) -> None:
    """Whatever text a person types is a problem or a UsageError.

    A codec's `parse` may raise nothing but ValueError, and `size` has to work for whatever is read.
    """
    for text in small_mistakes(list(map(subject.domain.problems.format, subject.problems))):
        subject.at = text
        try:
            parse_problem(subject.domain, text)
        except UsageError as error:
            require("\n" not in str(error), f"the message is more than one line: {error}")


@needs("goal_is_reached", "problems_are_listed_once")
def every_problem_is_listed(subject: DomainSubject) -> None:
    """Each problem that is drawn is among those of its size that `every_problem` lists, but for names.

    Some listed problem has the same start, and the run's last state as a goal. Look at `_every_problem` for the kind
    that is missing; or at `_problem`, if it always draws the same one.
    """
    domain, seen = subject.domain, set[int]()
    for n in domain.sizes[:SIZES]:
        listed = subject.listed(n, MOST + 1)
        if not listed or len(listed) > MOST:
            break
        starts: dict[Any, list[Any]] = {}
        for problem in listed:
            starts.setdefault(domain.initial(problem), []).append(problem)
        drawn = dict.fromkeys(domain.problems.format(domain.problem(n, seed)) for seed in range(DRAWS))
        subject.at = next(iter(drawn))
        same = f"{DRAWS} seeds draw the same one of {counted(len(listed), 'problem')} of size {n}"
        require(len(drawn) > 1 or len(listed) == 1, same, where=subject.where("_problem"))
        for text in drawn:
            subject.at = text
            found = any(_is_listed(domain, starts, problem) for problem in _renamed(domain, text))
            complaint = f"it is drawn, and not among the listed problems of size {n}, which are {len(listed)}"
            require(found, complaint, where=subject.where("_every_problem"))
        seen.add(n)
        subject.tried["draws that are listed"] = f"n = {format_sizes(seen)}, {DRAWS} seeds each"


def _is_listed(domain: AnyDomain, starts: Mapping[Any, list[Any]], problem: Any) -> bool:
    """Return whether a listed problem has the same start, and a goal that the policy's run of this one reaches."""
    state = domain.initial(problem)
    same = starts.get(state, [])
    if same and problem not in same:
        for _, step in islice(policy_steps(domain, problem), LONGEST_RUN):
            for action in filter(domain.actions.__contains__, step.emits):
                state = domain.apply(state, action)
    return any(one == problem or domain.is_goal(one, state) for one in same)


def _renamed(domain: AnyDomain, text: str) -> Iterator[Any]:
    """Yield the problem with its names in every order, if they are few."""
    names = sorted(names_in(text, domain.interchangeable_names or letters_in(text)))
    for order in permutations(names) if len(names) <= NAMES else [names]:
        try:
            yield domain.problems.parse(rename(text, dict(zip(names, order, strict=True))))
        except ValueError:  # these names don't fit
            continue


@needs("settings_agree")
def kinds_are_few(subject: DomainSubject) -> None:
    """Where the domain says so, all prompts with names numbered in their order can be listed, and runs have no others.

    A field with a number or a list makes ever more of them. `expand` has to deal with each instruction and each record
    together, also where no run has them together.
    """
    for setting in subject.settings:
        if has_few_kinds(setting.convention):
            problems = subject.problems
            subject.at = f"{setting.domain.name} on {setting.memory.name}"
            listed = dict(closure(setting.convention, problems))
            for step in (step for run in subject.runs(setting) for step in run.steps):
                subject.at, found = step.prompt, listed.get(step.prompt)
                require(found == step.target, f"the list has {found!r} where a run has {step.target!r}")
