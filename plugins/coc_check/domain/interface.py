"""The check that comes before all others of a domain: the types of its attributes and of what its methods give."""

from collections.abc import Collection, Mapping
from itertools import islice
from typing import Any

from coc_check.check import require, trying
from coc_check.domain.subject import DomainSubject
from coc_check.results import definition, shown
from coc_core.domain import Domain
from coc_core.errors import ActionFault
from coc_core.text import Forms
from coc_problems import policy_steps

SIZES, STEPS = 3, 200  # of the smallest problems, and steps of each

ATTRIBUTES: dict[str, tuple[type, str]] = {
    "name": (str, "a text"),
    "sizes": (range, "a range"),
    **dict.fromkeys(("problems", "instructions", "actions", "notes"), (Forms, "Forms")),
    "interchangeable_names": (Collection, "a frozenset"),
    "surfaces": (Mapping, "a mapping"),
}
"""The type of each attribute of a domain, and what it is called."""


def types_are_right(subject: DomainSubject) -> None:
    """Each attribute of the domain, and whatever its methods return, has the type that the interface names.

    A method without `return` gives None, a tuple of one needs its comma, and a class is not one of its objects.
    """
    domain = subject.domain
    _attributes(domain)
    for n in domain.sizes[:SIZES]:
        with trying(f"n={n}"):
            problem = domain.problem(n)
            _size(domain, problem, n)
            listed = islice(domain._every_problem(n) or (), SIZES)
            _several(domain, "_every_problem", listed, domain.problems.__contains__)
            domain.expect(problem)
        with trying(domain.problems.format(problem)):
            _run(domain, problem)
    missing = _not_stated(domain)
    if missing:
        subject.tried["not stated"] = ", ".join(missing)


def _not_stated(domain: Domain[Any, Any, Any, Any]) -> list[str]:
    """What a domain could state and does not, with what an author would write."""
    problem = domain.problem(domain.sizes[0])
    expected = domain.expect(problem)
    optional = {
        "problems of a size (`_every_problem`)": domain._every_problem(domain.sizes[0]),
        "moves (`every_action`)": domain.neighbours(domain.initial(problem)),
        "lengths of runs (`expect`)": expected,
        "the optimum (`Expectation.optimum`)": not expected or expected.optimum or None,
    }
    return [words for words, value in optional.items() if value is None]


def _attributes(domain: Domain[Any, Any, Any, Any]) -> None:
    where = definition(type(domain))
    for name, (kind, words) in ATTRIBUTES.items():
        require(hasattr(domain, name), f"the domain has no attribute `{name}`", where=where)
        value = getattr(domain, name)
        require(isinstance(value, kind), f"the attribute `{name}` is {shown(value)}, not {words}", where=where)
    require(len(domain.sizes) > 0, "the attribute `sizes` is empty", where=where)
    known = domain.continuation in ("linked", "chain")
    require(known, f"the attribute `continuation` is {domain.continuation!r}, not 'linked' or 'chain'", where=where)


def _size(domain: Domain[Any, Any, Any, Any], problem: Any, n: int) -> None:
    found = domain.size(problem)
    require(found == n, f"the problem {problem!r} of size {n} has the size {found}", where=_where(domain, "size"))


def _run(domain: Domain[Any, Any, Any, Any], problem: Any) -> None:
    """Call each method along the run of a problem; what they give is tested whenever they are called."""
    state = domain.initial(problem)
    for _, step in islice(policy_steps(domain, problem), STEPS):
        for action in filter(domain.actions.__contains__, step.emits):
            try:
                after = domain.apply(state, action)
            except ActionFault:
                return
            domain.effect(state, action)
            _several(domain, "neighbours", domain.neighbours(state) or (), lambda neighbour: neighbour is not None)
            state = after
        domain.is_goal(problem, state)
        domain.render(state, 80)


def _several(domain: Domain[Any, Any, Any, Any], method: str, values: Any, right: Any) -> None:
    for value in values:
        require(right(value), f"`{method}` has {shown(value)} in it", where=_where(domain, method))


def _where(domain: Domain[Any, Any, Any, Any], method: str) -> str:
    return definition(type(domain), method)
