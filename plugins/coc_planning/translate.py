"""From a planning problem to one of coc's, from its plan to one in the words of the problem, and both: `solve_pddl`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from hashlib import sha256
from itertools import islice, product
from pathlib import Path
from typing import Any, NoReturn

from attrs import evolve, frozen

from coc_core.api import Files, Run, open_registry, run, warn
from coc_core.domain import Domain, Translation, parse_problem, scene_of, why_unsolvable
from coc_core.errors import ActionFault, UnsupportedError, UsageError
from coc_core.options import PathLike
from coc_core.plugin import DomainSpec, Registry
from coc_planning.lifted import Facts, Lifted
from coc_planning.lifting import lift, views
from coc_planning.models import MODELS, HasPlanningModel, PlanningModel, models_of, renamed
from coc_planning.pddl.reading import read_problem, read_task
from coc_planning.pddl.simulation import Simulation
from coc_planning.pddl.task import Task
from coc_planning.pddl.validation import domain_beside, validation
from coc_planning.plan import PddlPlan, plan_lines
from coc_planning.recognise import Budget, Recognised, pairings, recognise

_MOST_DIFFERENCES, _MOST_HINTS = 2, 2
_MOST_TRIALS = 300_000, 60_000  # to find out how a task is a problem of any domain, exactly or but for one atom
_Domain = Domain[Any, Any, Any, Any]
_Creates = Callable[[str], _Domain]
_Several = Iterable[PlanningModel]
_Reasons = dict[PlanningModel, str]


@frozen(repr=False)
class Translated(Translation):
    """A planning problem as one of coc's: the domain and the problem, as text; how the domain is written in PDDL; what
    the model's objects and operators are called; and the task, in whose own operators coc's plans are simulated.
    """

    language = "pddl"

    model: PlanningModel
    names: Mapping[str, str]
    pairing: Recognised
    task: Task | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What is odd in the files, and does no harm."""
        return self.task.notes if self.task else ()

    @property
    def fingerprint(self) -> str:
        return sha256(repr((sorted(self.names.items()), self.pairing)).encode()).hexdigest()[:16]

    def plan_format(self, domain: _Domain, problem: Any) -> PddlPlan:
        return PddlPlan(domain, problem, self.model, self.names, self.pairing)

    def check(self, domain: _Domain, problem: Any) -> Callable[[Any], None]:
        assert self.task is not None
        simulation = Simulation(self.task)
        form = self.plan_format(domain, problem)

        def listen(record: Any) -> None:
            state = record.before
            for action in record.actions:
                for name, arguments in form.written(state, action):
                    try:
                        simulation.take(name, arguments)
                    except ActionFault as fault:
                        text = f"({' '.join((name, *arguments))}) is illegal: {fault.message}"
                        raise ActionFault(f"in the problem's own words, {text}") from None
                state = domain.apply(state, action)
            if record.pointer < 0 and domain.is_goal(problem, state) and (missing := simulation.missing()):
                raise ActionFault(f"in the problem's own words, the goal lacks {missing[0]}")

        return listen

    def check_plan(self, lines: Iterable[str]) -> None:
        """Raise UnsupportedError if a plan of coc's is not one of the planning problem."""
        if self.task is not None and not (found := validation(self.task, lines)).solved:
            raise UnsupportedError(f"it is not a problem of {self.domain}: in its own words, {found.reason}")


def translate_files(registry: Registry, solve_as: str | None, domain: Path, problem: Path) -> Translated:
    """Return the translation of a problem in PDDL; errors as for `read_task` and `translate_task`."""
    return translate_task(registry, read_task(domain, problem), solve_as=solve_as)


def problem_file(domain: _Domain, path: Path) -> Iterator[tuple[None, Translated]]:
    """Yield the problem in a file of PDDL, beside which its domain is; none if the file itself is a domain.
    UnsupportedError if there is no domain, or another problem; ArtefactError if a file can't be read or is not PDDL.
    """
    read = read_problem(path, domain_beside)
    if read is not None:
        try:
            yield None, _translate_task(models_of(domain), lambda _: domain, read)
        except UnsupportedError as error:
            raise UnsupportedError(f"{path} is not a problem of {domain.name}: {error}") from None


def translation(registry: Registry, path: Path) -> Translated | None:
    """Return the problem in a file, of any domain; None if it is a domain itself. Errors as for `problem_file`."""
    read = read_problem(path, domain_beside)
    try:
        return None if read is None else translate_task(registry, read)
    except UnsupportedError as error:
        raise UnsupportedError(f"{path}: {error}") from None


def translate_task(registry: Registry, task: Task, *, solve_as: str | None = None) -> Translated:
    """Find out, symbolically, which problem of coc's a planning problem is: of any domain, or of `solve_as`. Of one
    that is not exactly one of coc's, what coc's plans do not depend on may be left out (`coc_planning.lifting`).
    UnsupportedError if it is none; the message names the closest domain, and what is different.
    """
    return _translate_task(*_models(registry, solve_as), task)


def translate(registry: Registry, theirs: Lifted, facts: Facts, *, solve_as: str | None = None) -> Translated:
    """Return the same for a problem that has to be exactly one of coc's."""
    models, create = _models(registry, solve_as)
    reasons: _Reasons = {}
    return _exactly(models, create, theirs, facts, reasons) or _refuse(models, theirs, reasons)


class _Models:
    """The models of problems whose domain is not named. What domains offer is made after those here have been tried."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def __iter__(self) -> Iterator[PlanningModel]:
        names = {spec.name for spec in self._registry.specs(DomainSpec)}
        yield from (model for model in MODELS if model.domain in names and model.reads)
        yield from self._offered

    @cached_property
    def _offered(self) -> list[PlanningModel]:
        names = [spec.name for spec in self._registry.specs(DomainSpec) if "pddl" in spec.plan_formats]
        domains = (self._registry.create(DomainSpec, name) for name in names)
        return [domain.planning_model for domain in domains if isinstance(domain, HasPlanningModel)]


def _models(registry: Registry, solve_as: str | None) -> tuple[_Several, _Creates]:
    create = partial(registry.create, DomainSpec)
    return _Models(registry) if solve_as is None else models_of(create(solve_as)), create


def _translate_task(models: _Several, create: _Creates, task: Task) -> Translated:
    reasons: _Reasons = {}
    theirs, unreadable = None, ""
    try:
        theirs, facts = lift(task)
    except UnsupportedError as error:
        unreadable = str(error)
    else:
        if found := _exactly(models, create, theirs, facts, reasons):
            return evolve(found, task=task)
    hints = _Reasons()
    for model, facts, pairing in _alike(models, task):
        try:
            return _read_loosely(create(model.domain), model, pairing, facts, task)
        except UnsupportedError as error:
            without = _unused(task, pairing)
            known = hints if without or pairing.differences else reasons
            known.setdefault(model, f"{without}{error.message}")
    theirs = theirs or next(views(task)).lifted
    return _refuse(models, theirs, reasons, unreadable, *islice(dict.fromkeys(hints.values()), _MOST_HINTS))


def _alike(models: _Several, task: Task) -> Iterator[tuple[PlanningModel, Facts, Recognised]]:
    """Yield what a task may be a problem of, and how, with the fewest other atoms first."""
    for slack, most in enumerate(_MOST_TRIALS):
        budget = Budget(most)
        for view, (model, form) in product(views(task), _forms(models)):
            yield from ((model, view.facts, each) for each in view.paired(form, budget, slack))


def _forms(models: _Several) -> Iterator[tuple[PlanningModel, Lifted]]:
    return ((model, form) for model in models for form in model.forms)


def _exactly(models: _Several, create: _Creates, theirs: Lifted, facts: Facts, reasons: _Reasons) -> Translated | None:
    """Return the translation of a problem that is exactly one of coc's; otherwise notes why it is none."""
    for model, variant in _forms(models):
        for pairing in pairings(theirs, variant):
            try:
                return _read(create(model.domain), model, pairing, facts)
            except UnsupportedError as error:
                reasons.setdefault(model, error.message)
    return None


def _refuse(models: _Several, theirs: Lifted, reasons: _Reasons, *hints: str) -> NoReturn:
    if reasons:
        raise UnsupportedError("; ".join(dict.fromkeys(reasons.values())))
    why = "; ".join(filter(None, ["coc does not know this domain", _closest(models, theirs), *hints]))
    raise UnsupportedError(why, remedy=f"it knows {', '.join(sorted({model.domain for model in models}))}")


def _unused(task: Task, pairing: Recognised) -> str:
    """Return which operator a pairing leaves out, for an error message."""
    left = sorted(task.actions.keys() - {name for name, _ in pairing.operators.values()})
    return f"without its {left[0]!r:.60}, " if left else ""


def _read_loosely(domain: _Domain, model: PlanningModel, pairing: Recognised, facts: Facts, task: Task) -> Translated:
    found = evolve(_read(domain, model, pairing, facts, exact=False), task=task)
    problem = parse_problem(domain, found.problem)
    reason = why_unsolvable(domain, problem)
    if reason is None and domain.is_goal(problem, domain.initial(problem)):
        reason = ", ".join(Simulation(task).missing())
    if reason:
        raise UnsupportedError(f"it is not exactly a problem of {model.domain}, which had no solution: {reason}")
    return found


def _read(
    domain: _Domain, model: PlanningModel, pairing: Recognised, theirs: Facts, *, exact: bool = True
) -> Translated:
    """Read a problem, and make sure that it is the one that coc will solve.

    If it need not be exactly one of coc's, then more may hold of what never changes.
    """
    unknown = [atom for atom in theirs.goal if atom.predicate not in pairing.predicates]
    if unknown:
        raise UnsupportedError(f"the goal {unknown[0]} is none of {model.domain}")
    facts = pairing.facts(theirs)
    if not exact:
        named = {each for atom in (*facts.initial, *facts.goal) for each in atom.arguments}
        facts = evolve(facts, objects=tuple(each for each in facts.objects if each in named))
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
    if not exact:
        changed = model.forms[0].changing
        wrong = {atom for atom in wrong if atom not in facts.initial or atom.predicate in changed}
    if wrong:
        atom = min(wrong)
        raise UnsupportedError(
            f"at the beginning {atom} {'holds' if atom in facts.initial else 'does not hold'},"
            f" so this is not a state of {model.domain}"
        )
    return Translated(domain.name, reading.problem, exact, model, reading.names, pairing)


def _closest(models: _Several, theirs: Lifted) -> str:
    """Return what is different from a domain that is nearly the same; empty if none is."""
    for slack, (_, form) in product(range(1, _MOST_DIFFERENCES + 1), _forms(models)):
        if (found := next(recognise(theirs, form, slack), None)) is not None:
            return f"it is like {form.name}, but {found.differences[0]}"
    return ""


@frozen(repr=False)
class PddlSolution:
    """What came of a problem in PDDL. Make one with `coc.solve_pddl`.

    Attributes:
        run: The run, in coc's words.
        actions: The actions, such as `(stack a b)`, in the words of the problem.
    """

    run: Run
    actions: Sequence[str]
    _translation: Translation

    @property
    def status(self) -> str:
        """How the run ended: `solved`, `unsolvable`, `unsolved`, `fault` or `interrupted`."""
        return self.run.status

    @property
    def solved(self) -> bool:
        """Whether the plan reaches the goal."""
        return self.run.solved

    def write(self, path: PathLike) -> None:
        """Write the plan to a file, an action a line; what is there is replaced.

        Raises:
            StorageError: The file can't be written.
        """
        self.run.plan.write(path, self._translation.plan_format(self.run.setting.domain, self.run.plan.problem))

    def __repr__(self) -> str:
        return f"<PddlSolution: {self._translation.domain}, {self.status}, {len(self.actions):,} actions>"


def solve_pddl(
    domain: PathLike, problem: PathLike, *, solve_as: str | None = None, plugins: Files = (), **options: Any
) -> PddlSolution:
    """Solve a problem in PDDL with a model in the loop, as `coc run --pddl` does.

    The domain has to be one that coc knows, whatever its names are. Finding out which one it is compares structures and
    calls no model. Every action is part of a target that the model writes.

    Args:
        domain: The file of the domain.
        problem: The file of the problem.
        solve_as: The domain of coc whose problem it is; by default the one that it is found to be. Problems of
            `blocks` whose goal is one tower of all blocks are problems of `blocksworld-extended`, too.
        plugins: Python files that are plugins, too.
        options: Others of `coc.run`, such as `memory` and `model`.

    Raises:
        UsageError: coc does not know such a domain or problem; the message says what differs.
        ArtefactError: A file is not PDDL, or a checkpoint is broken.
    """
    translation = translate_files(open_registry(plugins), solve_as, Path(domain), Path(problem))
    warn(translation.notes)
    ended = run(translation.domain, problem=translation.problem, plugins=plugins, **options)
    lines: list[str] = []
    with plan_lines(translation.plan_format(ended.setting.domain, ended.plan.problem), lines) as listen:
        ended.plan.replay(listen)
    if ended.solved:
        translation.check_plan(lines)
    return PddlSolution(ended, lines, translation)
