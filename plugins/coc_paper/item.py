"""An item of `coc reproduce`: what can be set, what has to be computed for it, and what the results say."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, ClassVar

from attrs import Factory, field, frozen

from coc_core.errors import CocError, PluginError
from coc_core.options import Whole
from coc_core.text import described
from coc_paper.report import Section
from coc_paper.tasks import Done, Task, with_needs
from coc_workers.attribution import attributed


class Budget(StrEnum):
    """How much is computed: a sample in minutes, or all of it in hours."""

    quick = "quick"
    full = "full"


Tasks = Mapping[str, Task]
Results = Mapping[str, Done]


def parameter(help: str, full: Any, quick: Any = None, *, least: int = 1, most: int = 10**9) -> Any:
    """Return a field of an item that `--set` can change: a text, a whole number, or a tuple of these, like `1-3,5`.

    Args:
        help: What it is, in a few words.
        full: Its value for the budget `full`.
        quick: Its value for the budget `quick`, if that is another one.
        least: The least number that is allowed.
        most: The largest one.
    """
    values = {Budget.full: full, Budget.quick: full if quick is None else quick}
    default = Factory(lambda self: values[self.budget], takes_self=True)
    return field(default=default, metadata={"help": help, "kind": Whole(least, most)})


@frozen(kw_only=True)
class Item(ABC):
    """A table or figure that `coc reproduce` makes: its fields can be set. A plugin offers it by the hook `coc_items`.

    @frozen(kw_only=True)
    class Dice(Item):
        title = "Rolls of dice"
        sides: int = parameter("sides of the die", full=20, quick=6)

        def tasks(self):
            return {"rolls": Task("my_package.work:roll", {"sides": self.sides}, doing="rolling")}

        def report(self, results):
            rows = [[name, done.result] for name, done in results.items()]
            return Section(question="Is it fair?", setting="…", meaning="…", tables=[Table("", ["a", "b"], rows)])

    Attributes:
        title: What it shows, in one line.
        name: Its name on the command line.
        budget: How much is computed.
        changed: What was set, as texts by parameter.
    """

    title: ClassVar[str]
    name: str = ""
    budget: Budget = Budget.full
    changed: Mapping[str, str] = Factory(dict)

    @abstractmethod
    def tasks(self) -> Tasks:
        """Return the tasks, by a name of the item's own."""

    @abstractmethod
    def report(self, results: Results) -> Section:
        """Return the report from the results by the same names; some may be missing."""

    def every(self) -> dict[str, Task]:
        """Return the tasks and all that they need, by key."""
        return with_needs(self.tasks().values())


@frozen(kw_only=True)
class TrainingItem(Item):
    """An item that trains: it can have another preset, and any hyperparameter can be set."""

    preset: str = parameter("preset of its trainings, if not its own", "")
    hyperparameters: Mapping[str, str] = Factory(dict)

    def training(
        self, preset: str, hyperparameters: Mapping[str, Any] = {}, changes: Mapping[str, Any] = {}, **choices: Any
    ) -> dict[str, Any]:
        """Return the arguments of `coc.train`: what was set takes the place of the item's own, but for `changes`."""
        own = {**hyperparameters, **self.hyperparameters, **changes}
        return {"holdout_by": "pairs", **choices, "preset": self.preset or preset, "hyperparameters": own}


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
    evaluate = "coc_paper.work.evaluation:evaluate"
    return Task(evaluate, {**setting, **running}, {"model": model}, f"running the model of {doing}")


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Name the plugin, or else the item, in the errors of a block that runs an item's code, or uses what it made."""
    try:
        with attributed():
            yield
    except CocError:
        raise
    except Exception as error:
        raise PluginError(f"the item {name} can't be used: {described(error)}") from error
