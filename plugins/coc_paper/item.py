"""An item of the paper: what has to be computed for it, and what the results say."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from attrs import frozen

from coc_paper.report import Section
from coc_paper.tasks import Done, Task


class Budget(StrEnum):
    """How much is computed: a sample in minutes, or all of it in hours."""

    quick = "quick"
    full = "full"


Tasks = Mapping[str, Task]
Results = Mapping[str, Done]


def trained_runs(
    setting: Mapping[str, Any], training: Mapping[str, Any], running: Mapping[str, Any], doing: str, minutes: float
) -> Task:
    """The task that runs a model, which a task before it trains.

    Args:
        setting: Domain, memory and arithmetic.
        training: The other arguments of `coc.train`.
        running: The other arguments of `coc.evaluate`.
        doing: What the model is trained on.
        minutes: About how long the training takes.
    """
    model = Task(
        "coc_paper.work.learning:train", {**setting, **training}, doing=f"training on {doing}", minutes=minutes
    )
    evaluation = {**setting, **running}
    return Task("coc_paper.work.learning:evaluate", evaluation, {"model": model}, f"running the model of {doing}", 0.5)


@frozen
class Item:
    """A table or figure of the paper.

    Attributes:
        name: The name on the command line.
        title: What it shows, in one line.
        tasks: The tasks for a budget, by a name of the item's own.
        report: The report for a budget, from the results by the same names; some may be missing.
    """

    name: str
    title: str
    tasks: Callable[[Budget], Tasks]
    report: Callable[[Budget, Results], Section]

    def __repr__(self) -> str:
        return f"Item({self.name}: {self.title})"
