"""`coc.validate_pddl`: whether a plan solves a problem in PDDL, of any domain."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import IO, Any, Literal

from attrs import asdict, frozen

from coc_core.api import html, warn
from coc_core.errors import ActionFault, ArtefactError
from coc_core.options import PathLike
from coc_core.storage import open_source
from coc_core.text import counted, quoted
from coc_planning.pddl.plans import plan_actions
from coc_planning.pddl.reading import read_task
from coc_planning.pddl.simulation import Simulation
from coc_planning.pddl.task import Task

_LARGEST = 1 << 36  # bytes of a plan
_LONGEST = 1 << 24  # characters of a line
_LARGEST_NUMBER = 10**300
_NAMED = 3  # atoms of the goal in a line


@frozen(repr=False)
class PddlValidation:
    """Whether a plan solves a problem in PDDL. Make one with `coc.validate_pddl`.

    Attributes:
        domain: The name of the domain.
        problem: The name of the problem.
        verdict: `solved`, `unsolved` if all actions are legal but the goal is not reached, or `illegal`.
        actions: How many actions are legal, up to the first one that is not.
        at: The number of the first illegal action, counted from 1; None if all are legal.
        line: The line of the plan that it begins in.
        action: Its text.
        why: Why it is illegal, in the words of the domain.
        missing: What does not hold of the goal in the end, in the words of the problem; at most 1,000 formulas.
        cost: What the metric says of the plan; without one, the cost of its actions, one each if none has a cost. None
            if the plan does not solve the problem, or the metric has no value.
    """

    domain: str
    problem: str
    verdict: Literal["solved", "unsolved", "illegal"]
    actions: int
    at: int | None = None
    line: int | None = None
    action: str = ""
    why: str = ""
    missing: tuple[str, ...] = ()
    cost: int | float | None = None

    @property
    def solved(self) -> bool:
        """Whether the plan reaches the goal."""
        return self.verdict == "solved"

    @property
    def reason(self) -> str:
        """In one line: why the first illegal action is one, or what the goal lacks; empty if nothing is wrong."""
        if self.at is not None:
            return f"action {self.at:,}, {quoted(self.action)}, is illegal: {self.why}"
        more = f" and {len(self.missing) - _NAMED:,} more" if len(self.missing) > _NAMED else ""
        return f"the goal lacks {', '.join(self.missing[:_NAMED])}{more}" if self.missing else ""

    def document(self) -> dict[str, Any]:
        """Return the report as plain data, as `coc validate --json` prints it."""
        found = asdict(self) | {"missing": list(self.missing), "reason": self.reason}
        del found["why"]
        return found

    def __repr__(self) -> str:
        return f"<PddlValidation: {self.domain:.24}: {self._summary:.45}>"

    def _repr_html_(self) -> str:
        return html.paragraph(self.verdict, f"{self.domain} {self.problem}: {self._summary}")

    @property
    def _summary(self) -> str:
        legal = f"{self.verdict}, {counted(self.actions, 'legal action')}"
        return f"{legal}; {self.reason}" if self.reason else legal


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
    with _lines(plan) as lines:
        time = None
        for number, action in enumerate(plan_actions(lines), 1):
            at_once, time = action.time is not None and action.time == time, action.time
            try:
                simulation.take(action.name, action.arguments, at_once=at_once)
            except ActionFault as fault:
                wrong = str(action), fault.message
                return PddlValidation(task.domain, task.name, "illegal", number - 1, number, action.line, *wrong)
    missing = tuple(simulation.missing())
    if missing:
        return PddlValidation(task.domain, task.name, "unsolved", simulation.actions, missing=missing)
    return PddlValidation(task.domain, task.name, "solved", simulation.actions, cost=_number(simulation.value))


def _number(value: Any) -> int | float | None:
    if value is None or abs(value) >= _LARGEST_NUMBER:
        return None
    return int(value) if value.denominator == 1 else float(value)


@contextmanager
def _lines(plan: PathLike | Iterable[str]) -> Iterator[Iterable[str]]:
    if isinstance(plan, str):
        yield _lines_of(StringIO(plan))
    elif isinstance(plan, os.PathLike):
        with open_source(os.fspath(plan), _LARGEST, "plan") as file:
            yield _lines_of(file)
    else:
        yield plan


def _lines_of(file: IO[str]) -> Iterator[str]:
    while line := file.readline(_LONGEST):
        if len(line) == _LONGEST:
            raise ArtefactError(f"a line of the plan has {_LONGEST:,} characters or more")
        yield line
