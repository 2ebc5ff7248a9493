"""Validating a plan, or a folder of plans, for problems in PDDL: which problem each is for, and what comes of it."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from attrs import frozen

from coc_core.errors import EXIT_NOT_SOLVED, EXIT_SOLVED, CocError, UnsupportedError, UsageError
from coc_planning.pddl.reading import read_task
from coc_planning.pddl.validation import PddlValidation, validation

COLUMNS = ("plan", "problem", "verdict", "actions", "cost", "at", "line", "action", "reason")
_NO_PLANS = {".pddl", ".json", ".jsonl", ".csv", ".md", ".log"}


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
