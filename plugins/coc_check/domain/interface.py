"""The check that comes before all others of a domain: the types of its attributes and of what its methods give."""

from collections.abc import Collection, Mapping
from itertools import islice
from typing import Any, get_args

from coc_check.check import require, trying
from coc_check.domain.subject import DomainSubject
from coc_check.results import definition, shown
from coc_core.domain import Domain, policy_steps
from coc_core.errors import ActionFault
from coc_core.text import Forms
from coc_core.types import Case, Verdict

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
            _several(domain, "_every_problem", islice(domain.every_problem(n), SIZES), domain.problems.__contains__)
            domain.expect(problem)
        with trying(domain.problems.format(problem)):
            _run(domain, problem)
    for case in domain.cases():
        require(isinstance(case, Case), f"`cases` has {shown(case)} in it, not a Case", where=_where(domain, "cases"))
        plan = isinstance(case.plan, tuple) and all(action in domain.actions for action in case.plan)
        right = plan and case.problem in domain.problems and case.verdict in get_args(Verdict)
        complaint = "a case has not a problem, a tuple of actions and a verdict"
        require(right, complaint, str(case), _where(domain, "cases"))


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
            _several(domain, "neighbours", domain.neighbours(state), lambda neighbour: neighbour is not None)
            state = after
        domain.is_goal(problem, state)
        domain.render(state, 80)


def _several(domain: Domain[Any, Any, Any, Any], method: str, values: Any, right: Any) -> None:
    for value in values:
        require(right(value), f"`{method}` has {shown(value)} in it", where=_where(domain, method))


def _where(domain: Domain[Any, Any, Any, Any], method: str) -> str:
    return definition(type(domain), method)
