"""An item of `coc reproduce`: what can be set, what has to be computed for it, and what the results say."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from attrs import Factory, field, frozen

from coc_paper.report import Section
from coc_paper.tasks import Task
from coc_paper.work import Done


class Budget(StrEnum):
    """How much is computed: a sample in minutes, or all of it in hours."""

    quick = "quick"
    full = "full"


Tasks = Mapping[str, Task]
Results = Mapping[str, Done]


def parameter(help: str, full: Any, quick: Any = None, *, least: int = 1, most: int = 10**9) -> Any:
    """Return a field of `Parameters`: a text, a whole number, or a tuple of these numbers, written like `1-3,5`.

    Args:
        help: What it is, in a few words.
        full: Its value for the budget `full`.
        quick: Its value for the budget `quick`, if that is another one.
        least: The least number that is allowed.
        most: The largest one.
    """
    values = {Budget.full: full, Budget.quick: full if quick is None else quick}
    default = Factory(lambda self: values[self.budget], takes_self=True)
    return field(default=default, metadata={"help": help, "least": least, "most": most})


@frozen(kw_only=True)
class Parameters:
    """What `--set ITEM.NAME=VALUE` can change: the fields that `parameter` makes, none here.

    @frozen(kw_only=True)
    class Rolls(Parameters):
        sides: int = parameter("sides of the die", full=20, quick=6)
    """

    budget: Budget = Budget.full


@frozen(kw_only=True)
class TrainingParameters(Parameters):
    """The parameters of an item that trains: it can have another preset, and any hyperparameter can be set."""

    preset: str = parameter("preset of its trainings, if not its own", "")
    hyperparameters: Mapping[str, str] = Factory(dict)

    def training(self, preset: str, hyperparameters: Mapping[str, Any] = {}) -> dict[str, Any]:
        """Preset and hyperparameters as arguments of `coc.train`: the item's own, and what was set in their place."""
        return {"preset": self.preset or preset, "hyperparameters": {**hyperparameters, **self.hyperparameters}}


def trained_runs(
    setting: Mapping[str, Any], training: Mapping[str, Any], running: Mapping[str, Any], doing: str
) -> Task:
    """Return the task that runs a model, which a task before it trains.

    Args:
        setting: Domain, memory and arithmetic.
        training: The other arguments of `coc.train`.
        running: The other arguments of `coc.evaluate`.
        doing: What the model is trained on.
    """
    model = Task("coc_paper.work.learning:train", {**setting, **training}, doing=f"training on {doing}")
    function, arguments = "coc_paper.work.evaluation:evaluate", {**setting, **running}
    return Task(function, arguments, {"model": model}, f"running the model of {doing}")


@frozen
class Item:
    """A table or figure that `coc reproduce` makes. A plugin offers it by the hook `coc_items`.

    Attributes:
        name: The name on the command line.
        title: What it shows, in one line.
        tasks: The tasks for some parameters, by a name of the item's own.
        report: The report for some parameters, from the results by the same names; some may be missing.
        parameters: The class of its parameters.
    """

    name: str
    title: str
    tasks: Callable[[Any], Tasks]
    report: Callable[[Any, Results], Section]
    parameters: type[Parameters] = Parameters

    def __repr__(self) -> str:
        return f"Item({self.name}: {self.title})"
