"""From a planning problem to one of coc's, and from coc's plan to one in the words of the planning problem."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.domain import Domain, Translation, parse_problem, scene_of
from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec, Registry
from coc_planning.lifted import Facts, Lifted, UnsupportedError
from coc_planning.models import MODELS, PlanningModel, renamed
from coc_planning.plan import PddlPlan
from coc_planning.reading import lifted, read_pddl
from coc_planning.recognise import Recognised, recognise

_MOST_PAIRINGS = 100
"""How many ways to pair a domain with one of ours are tried."""
_MOST_DIFFERENCES = 2


@frozen
class Translated(Translation):
    """A planning problem as one of coc's.

    Attributes:
        domain: The name of coc's domain.
        problem: The problem, as the domain has it as text.
        model: How the domain is written in PDDL.
        names: What the model's objects are called.
        pairing: What the model's operators are called.
    """

    model: PlanningModel
    names: Mapping[str, str]
    pairing: Recognised

    def plan_format(self, domain: Domain[Any, Any, Any, Any], problem: Any) -> PddlPlan:
        return PddlPlan(domain, problem, self.model, self.names, self.pairing)

    def __repr__(self) -> str:
        return f"Translated({self.domain}, {self.problem:.60})"


def translate_files(registry: Registry, domain: Path, problem: Path) -> Translated:
    """The translation of a problem in PDDL; errors as for `read_pddl` and `translate`."""
    return translate(registry, *lifted(read_pddl(domain, problem)))


def translate(registry: Registry, theirs: Lifted, facts: Facts) -> Translated:
    """Find out which problem of coc's a planning problem is.

    This step is symbolic: structures are compared, and no model is asked.

    Raises:
        UnsupportedError: It is none; the message names the closest domain, and what is different.
    """
    reasons: list[str] = []
    for model in _installed(registry):
        for variant in model.variants(theirs):
            for count, pairing in enumerate(recognise(theirs, variant)):
                if count == _MOST_PAIRINGS:
                    break
                try:
                    return _read(registry, model, pairing, facts)
                except UnsupportedError as error:
                    reasons.append(error.message)
    if reasons:
        raise UnsupportedError(reasons[0])
    raise UnsupportedError(f"coc does not know this domain{_closest(registry, theirs)}", remedy=_known(registry))


def _installed(registry: Registry) -> Iterator[PlanningModel]:
    names = {spec.name for spec in registry.specs(DomainSpec)}
    return (model for model in MODELS if model.domain in names)


def _read(registry: Registry, model: PlanningModel, pairing: Recognised, theirs: Facts) -> Translated:
    """Read a problem, and make sure that it is the one that coc will solve."""
    unknown = [atom for atom in theirs.goal if atom.predicate not in pairing.predicates]
    if unknown:
        raise UnsupportedError(f"the goal {unknown[0]} is none of {model.domain}")
    facts = pairing.facts(theirs)
    reading = model.read(facts)
    domain = registry.create(DomainSpec, model.domain)
    try:
        problem = parse_problem(domain, reading.problem)
    except UsageError as error:
        raise UnsupportedError(error.message) from None
    ours = model.facts(problem, scene_of(domain, domain.initial(problem)))
    wrong = {*renamed(ours.initial, reading.names)} ^ {atom for atom in facts.initial if ":" not in atom.predicate}
    if wrong:
        atom = min(wrong)
        raise UnsupportedError(
            f"at the beginning {atom} {'holds' if atom in facts.initial else 'does not hold'},"
            f" so this is no state of {model.domain}"
        )
    return Translated(domain.name, reading.problem, model, reading.names, pairing)


def _closest(registry: Registry, theirs: Lifted) -> str:
    """What is different from the domain that is the most alike."""
    for slack in range(1, _MOST_DIFFERENCES + 1):
        for model in _installed(registry):
            for variant in model.variants(theirs):
                found = next(recognise(theirs, variant, slack), None)
                if found is not None:
                    return f"; it is like {variant.name}, but {found.differences[0]}"
    return ""


def _known(registry: Registry) -> str:
    return f"it knows {', '.join(sorted({model.domain for model in _installed(registry)}))}"
