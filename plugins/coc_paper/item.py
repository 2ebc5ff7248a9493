"""An item of `coc reproduce`: what can be set, what has to be computed for it, and what the results say."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from attrs import Factory, field, frozen

from coc_core.errors import CocError, PluginError
from coc_core.options import Whole
from coc_core.text import described
from coc_paper.report import Section
from coc_paper.tasks import Done, Task, with_needs
from coc_workers.pool import attributed


class Budget(StrEnum):
    """How much is computed: a sample in minutes, or all of it in hours."""

    quick = "quick"
    full = "full"


Tasks = Mapping[str, Task]
Results = Mapping[str, Done]


def parameter(help: str, full: Any, quick: Any = None, *, least: int = 1, most: int = 10**9) -> Any:
    """Return a field of an item that `--set` can change: a text, a whole number, or a tuple of these, like `1-3,5`.

    `help` says what it is; `full` and `quick` are its values for these budgets.
    """
    values = {Budget.full: full, Budget.quick: full if quick is None else quick}
    default = Factory(lambda self: values[self.budget], takes_self=True)
    return field(default=default, metadata={"help": help, "kind": Whole(least, most)})


@frozen(kw_only=True)
class Item(ABC):
    """A table or figure that `coc reproduce` makes: its fields can be set. A plugin offers it by the hook `coc_items`.

    @frozen(kw_only=True)
    class Dice(Item):
        "The title: rolls of dice."
        sides: int = parameter("sides of the die", full=20, quick=6)

        def tasks(self):
            return {"rolls": Task("my_package.work:roll", {"sides": self.sides})}

        def report(self, results):
            return Section(question="…", setting="…", meaning=f"Rolled: {results['rolls'].result}.")

    Its `name` is the one on the command line, and `changed` has what was set, as texts by parameter.
    """

    name: str = ""
    budget: Budget = Budget.full
    changed: Mapping[str, str] = Factory(dict)

    @property
    def title(self) -> str:
        """What it shows, in one line."""
        return (type(self).__doc__ or "").partition("\n")[0].rstrip(".")

    @property
    def full(self) -> bool:
        """Whether everything is computed."""
        return self.budget is Budget.full

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
        self, setting: str, preset: str, own: Mapping[str, Any] = {}, changes: Mapping[str, Any] = {}, **choices: Any
    ) -> dict[str, Any]:
        """Return the arguments of `coc.train`, some of them `choices`, for a setting such as `hanoi tape inline`.

        What was set takes the place of the item's own preset and hyperparameters, and `changes` that of both.
        """
        domain, memory, arith = setting.split()
        arguments = {"domain": domain, "memory": memory, "arith": arith, "holdout_by": "pairs", **choices}
        hyperparameters = {**own, **self.hyperparameters, **changes}
        return {**arguments, "preset": self.preset or preset, "hyperparameters": hyperparameters}


def trained_runs(training: Mapping[str, Any], **running: Any) -> Task:
    """Return the task that runs a model on the sizes that a task before it trains it on.

    `training` has the arguments of `coc.train`, and `running` further ones of `coc.evaluate`.
    """
    arguments = {key: training[key] for key in ("domain", "memory", "arith", "sizes")} | running
    needs = {"model": Task("coc_paper.work.learning:train", training)}
    return Task("coc_paper.work.evaluation:evaluate", arguments, needs)


@contextmanager
def naming(name: str, remedy: str = "") -> Iterator[None]:
    """Name the plugin, or else the item, in the errors of a block that runs an item's code, or uses what it made."""
    try:
        with attributed():
            yield
    except CocError:
        raise
    except Exception as error:
        raise PluginError(f"the item {name} can't be used: {described(error)}", remedy=remedy) from error
