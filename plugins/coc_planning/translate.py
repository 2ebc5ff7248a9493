"""From a planning problem to one of coc's, and from coc's plan to one in the words of the planning problem."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.domain import Domain, Translation, parse_problem, scene_of
from coc_core.errors import UnsupportedError, UsageError
from coc_core.plugin import DomainSpec, Registry
from coc_planning.batch import domain_beside
from coc_planning.lifted import Facts, Lifted
from coc_planning.lifting import lift
from coc_planning.models import MODELS, PlanningModel, renamed
from coc_planning.pddl.reading import read_problem, read_task
from coc_planning.plan import PddlPlan
from coc_planning.recognise import Recognised, pairings, recognise

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

    language = "pddl"

    model: PlanningModel
    names: Mapping[str, str]
    pairing: Recognised

    @property
    def fingerprint(self) -> str:
        return sha256(repr((sorted(self.names.items()), self.pairing)).encode()).hexdigest()[:16]

    def plan_format(self, domain: Domain[Any, Any, Any, Any], problem: Any) -> PddlPlan:
        return PddlPlan(domain, problem, self.model, self.names, self.pairing)

    def __repr__(self) -> str:
        return f"Translated({self.domain}, {self.problem:.60})"


def translate_files(registry: Registry, solve_as: str | None, domain: Path, problem: Path) -> Translated:
    """The translation of a problem in PDDL; errors as for `read_task`, `lift` and `translate`."""
    return translate(registry, *lift(read_task(domain, problem)), solve_as=solve_as)


def problem_file(domain: Domain[Any, Any, Any, Any], path: Path) -> Iterator[tuple[None, Translated]]:
    """The problem of a domain in a file of PDDL, beside which its domain is; none if the file itself is a domain.

    Raises:
        UnsupportedError: There is no domain beside it, or it is not a problem of this domain.
        ArtefactError: A file can't be read, or is not PDDL.
    """
    read = read_problem(path, domain_beside)
    if read is not None:
        models = [model for model in MODELS if model.domain == domain.name]
        try:
            yield None, _translate(models, lambda _: domain, *lift(read))
        except UnsupportedError as error:
            raise UnsupportedError(f"{path} is not a problem of {domain.name}: {error}") from None


def domain_of(registry: Registry, path: Path) -> str | None:
    """The domain of coc whose problem is in a file; None if it is a domain itself. Errors as for `problem_file`."""
    read = read_problem(path, domain_beside)
    try:
        return None if read is None else translate(registry, *lift(read)).domain
    except UnsupportedError as error:
        raise UnsupportedError(f"{path}: {error}") from None


def translate(registry: Registry, theirs: Lifted, facts: Facts, *, solve_as: str | None = None) -> Translated:
    """Find out which problem of coc's a planning problem is: of any domain, or of the one named `solve_as`.

    This step is symbolic: structures are compared, and no model is asked.

    Raises:
        UnsupportedError: It is none; the message names the closest domain, and what is different.
    """
    if solve_as is None:
        names = {spec.name for spec in registry.specs(DomainSpec)}
        models = [model for model in MODELS if model.domain in names and model.reads]
    else:
        registry.find(DomainSpec, solve_as)
        models = [model for model in MODELS if model.domain == solve_as]
    return _translate(models, partial(registry.create, DomainSpec), theirs, facts)


def _translate(
    models: Sequence[PlanningModel],
    create: Callable[[str], Domain[Any, Any, Any, Any]],
    theirs: Lifted,
    facts: Facts,
) -> Translated:
    reasons: dict[PlanningModel, str] = {}
    for model in models:
        for variant in model.variants(theirs):
            for pairing in pairings(theirs, variant):
                try:
                    return _read(create(model.domain), model, pairing, facts)
                except UnsupportedError as error:
                    reasons.setdefault(model, error.message)
    if reasons:
        raise UnsupportedError("; ".join(reasons.values()))
    raise UnsupportedError(f"coc does not know this domain{_closest(models, theirs)}", remedy=_known(models))


def _read(domain: Domain[Any, Any, Any, Any], model: PlanningModel, pairing: Recognised, theirs: Facts) -> Translated:
    """Read a problem, and make sure that it is the one that coc will solve."""
    unknown = [atom for atom in theirs.goal if atom.predicate not in pairing.predicates]
    if unknown:
        raise UnsupportedError(f"the goal {unknown[0]} is none of {model.domain}")
    facts = pairing.facts(theirs)
    reading = model.read(facts)
    try:
        problem = parse_problem(domain, reading.problem)
    except UsageError as error:
        raise UnsupportedError(error.message) from None
    ours = model.facts(problem, scene_of(domain, domain.initial(problem)))
    wrong = {*renamed(ours.initial, reading.names)} ^ {atom for atom in facts.initial if ":" not in atom.predicate}
    stated = {name for name, _ in pairing.predicates.values()}
    typed = (atom for atom in model.typed(problem) if atom.predicate in stated)
    wrong |= {*renamed(typed, reading.names)} - facts.initial
    if wrong:
        atom = min(wrong)
        raise UnsupportedError(
            f"at the beginning {atom} {'holds' if atom in facts.initial else 'does not hold'},"
            f" so this is not a state of {model.domain}"
        )
    return Translated(domain.name, reading.problem, model, reading.names, pairing)


def _closest(models: Sequence[PlanningModel], theirs: Lifted) -> str:
    """What is different from the domain that is the most alike."""
    for slack in range(1, _MOST_DIFFERENCES + 1):
        for model in models:
            for variant in model.variants(theirs):
                found = next(recognise(theirs, variant, slack), None)
                if found is not None:
                    return f"; it is like {variant.name}, but {found.differences[0]}"
    return ""


def _known(models: Sequence[PlanningModel]) -> str:
    return f"it knows {', '.join(sorted({model.domain for model in models}))}"
