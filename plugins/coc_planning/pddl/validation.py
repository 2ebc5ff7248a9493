"""`coc.validate_pddl`: whether a plan solves a problem in PDDL, of any domain."""

from collections.abc import Iterable, Iterator
from typing import IO, Any

from attrs import frozen

from coc_core.api import warn
from coc_core.errors import ActionFault, ArtefactError
from coc_core.options import PathLike
from coc_planning.pddl.plans import plan_actions
from coc_planning.pddl.reading import read_task
from coc_planning.pddl.simulation import Simulation
from coc_planning.pddl.task import Task
from coc_planning.validation import PlanReport, plan_lines

_LONGEST = 1 << 24  # characters of a line
_LARGEST_NUMBER = 10**300
_NAMED = 3  # atoms of the goal in a line


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
