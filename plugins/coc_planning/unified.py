"""Planning problems as unified-planning has them, as tasks."""

from pathlib import Path
from typing import Any

from unified_planning.exceptions import UPException
from unified_planning.io import PDDLWriter

from coc_core.errors import UnsupportedError
from coc_planning.pddl.expressions import Source
from coc_planning.pddl.reading import task_in
from coc_planning.pddl.task import Task


def task_of(problem: Any) -> tuple[Task, PDDLWriter]:
    """Return the task in an object of unified-planning, and what knows its objects by their names there;
    UnsupportedError for something that coc does not know, such as numbers.
    """
    try:
        writer = PDDLWriter(problem)
        texts = {"the domain": writer.get_domain(), "the problem": writer.get_problem()}
    except (AttributeError, AssertionError, UPException) as error:
        raise UnsupportedError(f"the problem is not a classical one: {error}") from None
    return task_in(*(Source(Path(name), text) for name, text in texts.items())), writer
