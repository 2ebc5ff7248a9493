"""What is set: parameters of items as `--set` has them, and trainings, in words that are made from their arguments."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import Attribute, fields

from coc_core.errors import UsageError
from coc_core.plugin import suggest
from coc_core.text import assignments, format_sizes, quoted
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

Changes = Mapping[str, Mapping[str, str]]
"""What is set: for an item, texts by parameter."""


def changes_of(texts: Iterable[str]) -> Changes:
    """Return what texts such as `stack.seeds=0-9` set; UsageError for one of another form."""
    found: dict[str, dict[str, str]] = {}
    for place, value in assignments(texts, "--set", "ITEM.NAME=VALUE").items():
        item, _, name = place.partition(".")
        found.setdefault(item, {})[name] = value
    return found


def item_with(name: str, kind: type[Item], budget: Budget, texts: Mapping[str, str]) -> Item:
    """Return the item of a name for a budget, with some parameters set by texts.

    Raises:
        UsageError: There is no such parameter or hyperparameter, or it can't have this value.
    """
    own = {each.name: each for each in _parameters(kind)}
    values: dict[str, Any] = {"name": name, "budget": budget, "changed": texts}
    values |= {key: _read(name, kind, own[key], text) for key, text in texts.items() if key in own}
    if others := {key: text for key, text in texts.items() if key not in own}:
        values["hyperparameters"] = others
        if not issubclass(kind, TrainingItem):
            remedy = suggest(next(iter(others)), own) if own else "nothing of it can be set"
            raise UsageError(f"the item {name} has no parameter {quoted(next(iter(others)), 40)}", remedy=remedy)
    item = kind(**values)
    try:
        for task in item.every().values() if texts else ():
            if "preset" in task.arguments:
                hyperparameters_of(task)
    except UsageError as error:
        remedy = f"its parameters are {', '.join(own)}; for hyperparameters, {error.remedy or 'see coc train --help'}"
        raise UsageError(f"--set for {name}: {error.message}", remedy=remedy) from None
    return item


def parameters_of(kind: type[Item]) -> list[dict[str, str]]:
    """Return each parameter of an item: its name, what it is, and its value for each budget, as `--set` takes it."""
    every = {str(budget): kind(budget=budget) for budget in Budget}
    return [
        {"name": each.name, "summary": each.metadata["help"]}
        | {budget: _text(getattr(item, each.name)) for budget, item in every.items()}
        for each in _parameters(kind)
    ]


def sample(item: Item) -> str:
    """Return what the budget of an item leaves out, in a sentence; an empty text if nothing."""
    kind = type(item)
    every, own = ([task.call for task in kind(budget=each).tasks().values()] for each in (Budget.full, item.budget))
    values = [(each["name"], each["quick"], each["full"]) for each in parameters_of(kind)]
    less = "; ".join(f"{name} {quick} instead of {full}" for name, quick, full in values if quick != full)
    return f"Less than `--budget full` computes{less and ': '}{less}." if every != own else ""


def _parameters(kind: type[Item]) -> list["Attribute[Any]"]:
    return [each for each in fields(kind) if "help" in each.metadata]


def _read(name: str, kind: type[Item], attribute: "Attribute[Any]", text: str) -> Any:
    """Return the value that a text sets, of the type that the parameter has by default."""
    default, whole = getattr(kind(), attribute.name), attribute.metadata["kind"]
    try:
        if isinstance(default, str):
            return text
        return whole.read(text) if isinstance(default, int) else tuple(map(whole.check, parse_sizes(text)))
    except (UsageError, ValueError) as error:
        words = getattr(error, "message", str(error)).rstrip(".").replace("sizes", "numbers")
        where = f"--set {name}.{attribute.name}={quoted(text, 40)[1:-1]}"
        raise UsageError(f"{where}: {words}", remedy=getattr(error, "remedy", "")) from None


def _text(value: Any) -> str:
    return format_sizes(value) if isinstance(value, tuple) else str(value)


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
