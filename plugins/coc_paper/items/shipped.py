"""Every checkpoint that ships, trained again by the commands in its card."""

from collections.abc import Sequence
from fractions import Fraction

from coc_core.errors import ArtefactError
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.text import counted
from coc_paper.item import Budget, Item, Parameters, Results, Tasks
from coc_paper.recipes import Recipe, read_recipe
from coc_paper.report import Section, Table, Value
from coc_paper.tasks import Task

_TITLE = "Every checkpoint that ships, from its own recipe"
_KINDS = ("training", "held-out", "tested")
_QUICK = ("hanoi-tape-symbolic",)


def _recipes() -> dict[str, Recipe | None]:
    """The recipes by the names of the checkpoints; None for those of other packages that state none."""
    registry, found = Registry.installed(), dict[str, Recipe | None]()
    for spec in registry.specs(CheckpointSpec):
        try:
            found[spec.name] = read_recipe(registry.folder(spec))
        except ArtefactError:
            found[spec.name] = None
    return found


def _chosen(budget: Budget) -> dict[str, Recipe]:
    """The recipes that are followed: those of one process, and for a sample those that take few minutes."""
    return {
        name: recipe
        for name, recipe in _recipes().items()
        if recipe and not recipe.processes and (budget is Budget.full or name in _QUICK)
    }


def _tasks(chosen: Parameters) -> Tasks:
    tasks = {}
    for name, recipe in _chosen(chosen.budget).items():
        model: Task | None = None
        for number, training in enumerate(recipe.trainings, 1):
            part = f", training {number} of {len(recipe.trainings)}" if len(recipe.trainings) > 1 else ""
            needs = {"init": model} if model else {}
            model = Task("coc_paper.work.learning:train", training, needs, f"training {name} again{part}")
        assert model is not None
        same = "coc_paper.work.evaluation:same"
        tasks[name] = Task(same, {"checkpoint": name}, {"model": model}, f"comparing {name}")
    return tasks


def _report(parameters: Parameters, results: Results) -> Section:
    rows: list[list[Value]] = []
    chosen, worse = _chosen(parameters.budget), []
    for name, recipe in _recipes().items():
        if recipe is None:
            rows.append([name, None, *([None] * 7), "its card states no training"])
        elif name not in chosen:
            why = "trained by several processes" if recipe.processes else "not in the sample"
            rows.append([name, len(recipe.trainings), *([None] * 7), why])
        elif name in results:
            found = results[name].result
            ours = [tuple(found[kind]) for kind in _KINDS]
            theirs = [recipe.exact["training"], recipe.exact["held-out"], recipe.tested]
            if any(_rate(*one) < _rate(*other) for one, other in zip(ours, theirs, strict=True)):
                worse.append(name)
            cells = [_share(*pair) for both in zip(ours, theirs, strict=True) for pair in both]
            verdict = _verdict(ours, theirs, found["same_weights"])
            rows.append([name, len(recipe.trainings), *cells, found["shipped_weights"][:12], verdict])
    names = ("training pairs", "held-out pairs", "targets of other sizes")
    columns = [column for name in names for column in (f"{name}, again", f"{name}, shipped")]
    made = [results[name].result["same_weights"] for name in chosen if name in results]
    return Section(
        name="shipped",
        title=_TITLE,
        question="Do the commands in the cards give the checkpoints that ship?",
        setting="Each training that the card names, in its order, in one process. Weights are equal to the last bit"
        " only on the same model of processor; elsewhere sums are rounded in another order, losses differ from about"
        " step 10 on, and what counts is the share of the pairs that is predicted exactly. On a heap with names by"
        " place, the targets of other sizes are training pairs. The second training of a chain holds out what the"
        " first one held out, and learns what the first one learned; the card of a checkpoint that is older than"
        " this rule counts other held-out pairs.",
        sample=f"Only {' and '.join(_QUICK)}." if parameters.budget is Budget.quick else "",
        tables=[
            Table("Predicted exactly", ["checkpoint", "trainings", *columns, "SHA-256, shipped", "came out"], rows)
        ],
        meaning=f"{sum(made)} of {counted(len(made), 'checkpoint')} came out with the same weights"
        + (f"; less exact: {', '.join(worse)}." if worse else "; none is less exact."),
        passed=not worse,
    )


def _verdict(ours: Sequence[tuple[int, int]], theirs: Sequence[tuple[int, int]], same_weights: bool) -> str:
    if ours == theirs:
        return "weights equal" if same_weights else "exactness equal"
    rates_equal = all(_rate(*one) == _rate(*other) for one, other in zip(ours, theirs, strict=True))
    return "exactness equal, other pairs" if rates_equal else "exactness differs"


def _rate(right: int, of: int) -> Fraction:
    """The share of the pairs that is exact; less than any where none was compared."""
    return Fraction(right, of) if of else Fraction(-1)


def _share(right: int, of: int) -> str:
    return f"{right:,} of {of:,}" if of else "–"


ITEM = Item("shipped", _TITLE, _tasks, _report)
