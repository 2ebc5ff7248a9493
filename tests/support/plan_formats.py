"""Plans of every domain, written and read in every format that it has."""

from functools import cache
from io import StringIO

from coc_core.domain import PlanWriter
from coc_core.plugin import DomainSpec, PlanFormatSpec, open_format
from coc_planning.validation import lines_of
from coc_problems import policy_actions
from tests.support.installed_plugins import REGISTRY

DOMAINS = {spec.name: REGISTRY.create(DomainSpec, spec.name) for spec in REGISTRY.specs(DomainSpec)}
PAIRS = [
    (domain, spec.name)
    for domain in DOMAINS
    for spec in REGISTRY.specs(PlanFormatSpec)
    if spec.factory and (spec.domains is None or domain in spec.domains)
]
"""Each domain with each format that its plans can have."""


SEARCHING = ("tiles", "exact-cover")
"""Their policies search, which takes long where problems are large."""


@cache
def solved(domain, n, seed=0):
    """A problem, and the plan of the policy for it."""
    subject = DOMAINS[domain]
    n = min(n, 3) if domain in SEARCHING else n
    problem = subject.problem(min(max(n, subject.sizes[0]), subject.sizes[-1]), seed)
    return problem, list(policy_actions(subject, problem))


def form_of(domain, name, problem):
    return open_format(REGISTRY, name, DOMAINS[domain], problem)


def written(form, plan):
    """The text of a plan."""
    parts, state = [], form.domain.initial(form.problem)
    writer = PlanWriter(form, parts.append)
    for action in plan:
        writer.add(state, (action,))
        state = form.domain.apply(state, action)
    writer.close()
    return b"".join(parts).decode()


def read(form, text):
    """The actions of a plan, and the state after them."""
    found, state = [], form.domain.initial(form.problem)
    for entry in form.entries(lines_of(StringIO(text))):
        for action in form.read(state, entry):
            found.append(action)
            state = form.domain.apply(state, action)
    return found, state
