"""What is set: parameters of items as `--set` has them, and trainings, in words that are made from their arguments."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import fields

from coc_core.errors import UsageError
from coc_core.options import Whole
from coc_core.plugin import suggest
from coc_core.text import format_sizes, quoted
from coc_learn.hyperparameters import override_texts
from coc_paper.item import Budget, Item, TrainingItem
from coc_paper.tasks import Task
from coc_paper.work.learning import hyperparameters
from coc_problems import parse_sizes

_SHOWN = ("loss", "name_permutation", "prioritised_replay")
"""What is shown of every training that has it, since the paper says other things of it, or nothing."""

_LOSSES = {
    "target": "`loss=target` leaves the prompt out, as the paper's appendix says.",
    "all": "`loss=all` is that of all tokens, prompt included, as the paper's section on experiments says.",
}
"""What the losses are; the paper contradicts itself."""


def item_with(name: str, kind: type[Item], budget: Budget, texts: Mapping[str, str]) -> Item:
    """Return the item of a name for a budget, with some parameters set by texts.

    Raises:
        UsageError: There is no such parameter or hyperparameter, or it can't have this value.
    """
    kinds = {each.name: each.metadata["kind"] for each in fields(kind) if "help" in each.metadata}
    values: dict[str, Any] = {"name": name, "budget": budget, "changed": texts}
    for key, text in texts.items():
        if key in kinds:
            values[key] = _read(getattr(kind(), key), kinds[key], text, f"--set {name}.{key}")
        elif issubclass(kind, TrainingItem):
            values.setdefault("hyperparameters", {})[key] = text
        else:
            remedy = suggest(key, kinds) if kinds else "nothing of it can be set"
            raise UsageError(f"the item {name} has no parameter {quoted(key, 40)}", remedy=remedy)
    item = kind(**values)
    try:
        for task in item.every().values() if texts else ():
            if "preset" in task.arguments:
                hyperparameters_of(task)
    except UsageError as error:
        known = f"its parameters are {', '.join(kinds)}; for hyperparameters, {error.remedy or 'see coc train --help'}"
        raise UsageError(f"--set for {name}: {error.message}", remedy=known) from None
    return item


def _read(default: Any, whole: Whole, text: str, where: str) -> Any:
    """Return the value of a text, of the type that a parameter has by default."""
    if isinstance(default, str):
        return text
    try:
        return whole.read(text) if isinstance(default, int) else tuple(map(whole.check, parse_sizes(text)))
    except (UsageError, ValueError) as error:
        words = getattr(error, "message", str(error)).rstrip(".").replace("sizes", "numbers")
        raise UsageError(f"{where}={quoted(text, 40)[1:-1]}: {words}", remedy=getattr(error, "remedy", "")) from None


def parameters_of(kind: type[Item]) -> list[dict[str, str]]:
    """Return each parameter of an item: its name, what it is, and its value for each budget, as `--set` takes it."""
    found = []
    for each in fields(kind):
        if "help" in each.metadata:
            values = {str(budget): getattr(kind(budget=budget), each.name) for budget in Budget}
            texts = {key: format_sizes(v) if isinstance(v, tuple) else str(v) for key, v in values.items()}
            found.append({"name": each.name, "summary": each.metadata["help"], **texts})
    return found


def sample(item: Item) -> str:
    """Return what the budget of an item leaves out, in a sentence; an empty text if nothing."""
    kind = type(item)
    every, own = ([task.call for task in kind(budget=each).tasks().values()] for each in (Budget.full, item.budget))
    values = [(each["name"], each["quick"], each["full"]) for each in parameters_of(kind)]
    less = "; ".join(f"{name} {quick} instead of {full}" for name, quick, full in values if quick != full)
    return f"Less than `--budget full` computes{less and ': '}{less}." if every != own else ""


def in_words(sizes: Sequence[int]) -> str:
    """Return sizes in words, such as `1 to 20`; as `format_sizes` has them if some are left out."""
    text = format_sizes(sizes)
    return text if "," in text else text.replace("-", " to ")


def hyperparameters_of(task: Task) -> Mapping[str, Any]:
    """Return all hyperparameters of the training that a task is, or that it needs."""
    training = _training_of(task)
    return hyperparameters(None, {}, "transformer", training["preset"], training.get("hyperparameters", {}))


def settings_of(tasks: Mapping[str, Task]) -> str:
    """Return how trainings were set, in sentences: each preset, with every hyperparameter that is changed, and
    those of `_SHOWN`; then what their losses are.

    Args:
        tasks: The trainings, or tasks that need them, by the names to tell them apart.
    """
    presets: dict[str, dict[str, Task]] = {}
    for name, task in tasks.items():
        presets.setdefault(_training_of(task)["preset"], {})[name] = task
    settings = [_of_preset(preset, some, named=len(presets) > 1) for preset, some in presets.items()]
    losses = dict.fromkeys(hyperparameters_of(task)["loss"] for task in tasks.values())
    return " ".join([f"Training: {'; '.join(settings)}.", *(_LOSSES[loss] for loss in losses)])


def _of_preset(preset: str, tasks: Mapping[str, Task], *, named: bool) -> str:
    wholes = {name: override_texts(hyperparameters_of(task), "") for name, task in tasks.items()}
    changed = dict.fromkeys(key for task in tasks.values() for key in _training_of(task).get("hyperparameters", {}))
    shown, (first, *others) = dict.fromkeys([*changed, *_SHOWN]), wholes.values()
    alike = [key for key in shown if all(each[key] == first[key] for each in others)]
    text = f"preset `{preset}`"
    if words := _listed(first, (key for key in alike if key in changed)):
        text += f" with {words}"
    if words := _listed(first, (key for key in alike if key not in changed and first[key] != "0.0")):
        text += f" (its own {words})"
    if rest := [key for key in shown if key not in alike]:
        return f"{text}, and {', '.join(f'{_listed(whole, rest)} for {name}' for name, whole in wholes.items())}"
    return f"{text} for {' and '.join(tasks)}" if named else text


def _training_of(task: Task) -> Mapping[str, Any]:
    return task.needs.get("model", task).arguments


def _listed(values: Mapping[str, str], names: Iterable[str]) -> str:
    return ", ".join(f"`{name}={values[name]}`" for name in names)
