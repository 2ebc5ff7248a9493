"""`coc.validate_pddl`: whether a plan, or each plan in a folder, solves a problem in PDDL, of any domain."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, NamedTuple

from attrs import frozen

from coc_core.api import warn
from coc_core.errors import (
    EXIT_NOT_SOLVED,
    EXIT_SOLVED,
    ActionFault,
    ArtefactError,
    CocError,
    UnsupportedError,
    UsageError,
)
from coc_core.options import PathLike
from coc_planning.pddl.plans import plan_actions
from coc_planning.pddl.reading import read_task
from coc_planning.pddl.simulation import Simulation
from coc_planning.pddl.task import Task
from coc_planning.validation import PlanReport, plan_lines

_LONGEST = 1 << 24  # characters of a line
_LARGEST_NUMBER = 10**300
_NAMED = 3  # atoms of the goal in a line
COLUMNS = ("plan", "problem", "verdict", "actions", "cost", "at", "line", "action", "reason")
_NO_PLANS = {".pddl", ".json", ".jsonl", ".csv", ".md", ".log"}


@frozen(repr=False)
class PddlValidation(PlanReport):
    """Whether a plan solves a problem in PDDL. Make one with `coc.validate_pddl`.

    Attributes:
        line: The line of the plan that the first illegal action begins in.
        missing: What does not hold of the goal in the end, in the words of the problem; at most 1,000 formulas.
        cost: What the metric says of the plan; without one, the cost of its actions, one each if none has a cost. None
            if the plan does not solve the problem, or the metric has no value.
    """

    line: int | None = None
    missing: tuple[str, ...] = ()
    cost: int | float | None = None

    @property
    def _lack(self) -> str:
        more = f" and {len(self.missing) - _NAMED:,} more" if len(self.missing) > _NAMED else ""
        return f"the goal lacks {', '.join(self.missing[:_NAMED])}{more}"

    def document(self) -> dict[str, Any]:
        return super().document() | {"reason": self.reason}


def validate_pddl(domain: PathLike, problem: PathLike, plan: PathLike | Iterable[str]) -> PddlValidation:
    """Check whether a plan solves a problem in PDDL, as `coc validate --pddl` does. No model is involved.

    The domain may be any in STRIPS or ADL, with costs of actions; coc need not know it. A wrong plan raises nothing:
    the report says what is wrong. The plan may be a path, a text (a str), or its lines.

    Args:
        domain: The file of the domain.
        problem: The file of the problem.
        plan: The plan, an action such as `(stack a b)` a line.

    Raises:
        UsageError: A file has what coc does not read, such as durations, or the plan's can't be read.
        ArtefactError: A file is not PDDL, or the plan is not one.
    """
    task = read_task(domain, problem)
    warn(task.notes)
    return validation(task, plan)


def validation(task: Task, plan: PathLike | Iterable[str]) -> PddlValidation:
    """Return the report on a plan for a task; errors as for `validate_pddl`."""
    simulation = Simulation(task)
    with plan_lines(plan, _lines_of) as lines:
        time = None
        for number, action in enumerate(plan_actions(lines), 1):
            at_once, time = action.time is not None and action.time == time, action.time
            try:
                simulation.take(action.name, action.arguments, at_once=at_once)
            except ActionFault as fault:
                wrong = str(action), fault.message, action.line
                return PddlValidation(task.domain, task.name, "illegal", number - 1, number, *wrong)
    missing = tuple(simulation.missing())
    if missing:
        return PddlValidation(task.domain, task.name, "unsolved", simulation.actions, missing=missing)
    return PddlValidation(task.domain, task.name, "solved", simulation.actions, cost=_number(simulation.value))


def _number(value: Any) -> int | float | None:
    if value is None or abs(value) >= _LARGEST_NUMBER:
        return None
    return int(value) if value.denominator == 1 else float(value)


def _lines_of(file: IO[str]) -> Iterator[str]:
    while line := file.readline(_LONGEST):
        if len(line) == _LONGEST:
            raise ArtefactError(f"a line of the plan has {_LONGEST:,} characters or more")
        yield line


class Files(NamedTuple):
    """The files of a plan, of its problem, and of the domain."""

    plan: Path
    problem: Path
    domain: Path


@frozen
class Row:
    """What came of a plan: its validation, or the error for which there is none."""

    plan: Path
    problem: Path
    validation: PddlValidation | None
    error: CocError | None
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """`solved`, `unsolved`, `illegal`, or `rejected` if the plan or the problem can't be read."""
        return self.validation.verdict if self.validation else "rejected"

    @property
    def reason(self) -> str:
        """In one line, what is wrong; empty if nothing is."""
        return self.validation.reason if self.validation else str(self.error)

    @property
    def exit_code(self) -> int:
        """The exit code that says so."""
        if self.error is not None:
            return self.error.exit_code
        return EXIT_SOLVED if self.verdict == "solved" else EXIT_NOT_SOLVED

    def document(self) -> dict[str, Any]:
        """Return the row as plain data."""
        files = {"plan": str(self.plan), "problem": str(self.problem)}
        if self.validation is None:
            return files | {"verdict": self.verdict, "reason": self.reason}
        return self.validation.document() | files

    def cells(self) -> dict[str, Any]:
        """Return the row of a table."""
        found = self.document()
        return {name: found.get(name) for name in COLUMNS}


def matched(domain: Path, problem: Path, plan: Path) -> list[Files]:
    """Return the files of a plan, or of each in a folder, sorted; problems or domains in a folder are found by name.
    UsageError if there are no plans, or no problem or domain for one.
    """
    plans = [plan]
    if plan.is_dir():
        files = (each for each in plan.iterdir() if each.is_file() and each.suffix not in _NO_PLANS)
        plans = sorted(each for each in files if not each.name.startswith("."))
        if not plans:
            raise UsageError(f"there are no plans in {plan}")
    found = [Files(each, _problem_of(each, problem) if problem.is_dir() else problem, domain) for each in plans]
    if not domain.is_dir():
        return found
    return [each._replace(domain=domain_beside(domain / each.problem.name)) for each in found]


def domain_beside(path: Path) -> Path:
    """Return the domain beside a problem, by its usual names; UnsupportedError if none is there."""
    names = f"{path.stem}-domain.pddl", f"domain-{path.name}", f"domain_{path.name}", "domain.pddl"
    found = next((each for each in map(path.with_name, names) if each.is_file()), None)
    if found is None:
        remedy = f"name it {', '.join(names[:-1])} or {names[-1]}"
        raise UnsupportedError(f"there is no domain beside {path}", remedy=remedy)
    return found


def rows(files: Iterable[Files]) -> Iterator[Row]:
    """Yield what comes of each plan."""
    task_of = lru_cache(maxsize=1)(read_task)  # one at a time, since they may be large
    for each in files:
        try:
            task = task_of(each.domain, each.problem)
            yield Row(each.plan, each.problem, validation(task, each.plan), None, task.notes)
        except CocError as error:
            yield Row(each.plan, each.problem, None, error)


def _problem_of(plan: Path, folder: Path) -> Path:
    """Return the problem of a plan by its name: `p01.pddl` of `p01.pddl.plan`, `p01.plan` or `p01.plan.2`."""
    name = plan.name
    while name:
        for each in (name, f"{name}.pddl"):
            if each.endswith(".pddl") and (folder / each).is_file():
                return folder / each
        name = name.rpartition(".")[0]
    raise UsageError(f"there is no problem for {plan.name} in {folder}", remedy="call it as the plan, but .pddl")
