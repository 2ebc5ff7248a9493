"""What is set: parameters of items as `--set` has them, and trainings, in words that are made from their arguments."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import Attribute, evolve, fields

from coc_core.errors import UsageError
from coc_core.options import Whole
from coc_core.plugin import suggest
from coc_core.text import assignments as read_assignments, format_sizes, quoted
from coc_learn.hyperparameters import override_texts
from coc_paper.item import Budget, Item, Parameters, TrainingParameters
from coc_paper.tasks import Task, with_needs
from coc_paper.work.learning import all_hyperparameters
from coc_problems import parse_sizes

_SHOWN = ("loss", "name_permutation", "prioritised_replay")
"""What is shown of every training that has it, since the paper says other things of it, or nothing."""
_NONE = "0.0"

_LOSSES = {
    "target": "`loss=target` leaves the prompt out, as the paper's appendix says.",
    "all": "`loss=all` is that of all tokens, prompt included, as the paper's section on experiments says.",
}
"""What the losses are; the paper contradicts itself."""


def assignments(texts: Iterable[str], known: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the values by item and parameter that texts such as `stack.seeds=0-9` set, each once.

    Args:
        texts: The texts.
        known: The names of all items.

    Raises:
        UsageError: A text is of another form, names no item, or sets what another one sets.
    """
    found: dict[str, dict[str, str]] = {}
    for place, value in read_assignments(texts, "--set", "ITEM.NAME=VALUE").items():
        item, _, name = place.partition(".")
        if item not in known:
            raise UsageError(f"--set {quoted(place, 40)}: unknown item {quoted(item, 40)}", remedy=suggest(item, known))
        found.setdefault(item, {})[name] = value
    return found


def parameters_of(item: Item, budget: Budget, texts: Mapping[str, str]) -> Parameters:
    """Return the parameters of an item for a budget, some of them set by texts.

    Raises:
        UsageError: There is no such parameter or hyperparameter, or it can't have this value.
    """
    own = {each.name: each for each in _fields(item)}
    hyperparameters = {name: text for name, text in texts.items() if name not in own}
    if hyperparameters and not issubclass(item.parameters, TrainingParameters):
        name = next(iter(hyperparameters))
        what = suggest(name, own) if own else "nothing of it can be set"
        raise UsageError(f"the item {item.name} has no parameter {quoted(name, 40)}", remedy=what)
    values: dict[str, Any] = {name: _read(item, own[name], text) for name, text in texts.items() if name in own}
    found = item.parameters(budget=budget, **values)
    if texts and isinstance(found, TrainingParameters):
        found = evolve(found, hyperparameters=hyperparameters)
        _check_trainings(item, found, own)
    return found


def _check_trainings(item: Item, parameters: Parameters, own: Iterable[str]) -> None:
    """Raise UsageError for a hyperparameter or preset that a training of the item can't have."""
    try:
        for task in with_needs(item.tasks(parameters).values()).values():
            if "preset" in task.arguments:
                hyperparameters_of(task)
    except UsageError as error:
        more = error.remedy or "see coc train --help"
        remedy = f"its parameters are {', '.join(own)}; for hyperparameters, {more}"
        raise UsageError(f"--set for {item.name}: {error.message}", remedy=remedy) from None


def described(item: Item) -> list[dict[str, str]]:
    """Return each parameter of an item: its name, what it is, and its value for each budget, as `--set` takes it."""
    every = {budget: item.parameters(budget=budget) for budget in Budget}
    return [
        {"name": each.name, "summary": each.metadata["help"]}
        | {str(budget): _text(getattr(values, each.name)) for budget, values in every.items()}
        for each in _fields(item)
    ]


def sample(item: Item, budget: Budget) -> str:
    """Return what a budget leaves out of an item, in a sentence; an empty text if nothing."""
    every, own = (
        [task.call for task in item.tasks(item.parameters(budget=each)).values()] for each in (Budget.full, budget)
    )
    if every == own:
        return ""
    less = [
        f"{each['name']} {each['quick']} instead of {each['full']}"
        for each in described(item)
        if each["quick"] != each["full"]
    ]
    return f"Less than `--budget full` computes{': ' if less else ''}{'; '.join(less)}."


def _fields(item: Item) -> list["Attribute[Any]"]:
    return [each for each in fields(item.parameters) if "help" in each.metadata]


def _read(item: Item, attribute: "Attribute[Any]", text: str) -> Any:
    """Return the value that a text sets, of the type that the parameter has by default."""
    default = getattr(item.parameters(), attribute.name)
    whole = Whole(attribute.metadata["least"], attribute.metadata["most"])
    where = f"--set {item.name}.{attribute.name}={quoted(text, 40)[1:-1]}"
    try:
        if isinstance(default, str):
            return text
        if isinstance(default, int):
            return whole.read(text)
        return tuple(whole.check(number) for number in parse_sizes(text))
    except ValueError as error:
        raise UsageError(f"{where}: {str(error).rstrip('.')}") from None
    except UsageError as error:
        raise UsageError(f"{where}: {error.message.replace('sizes', 'numbers')}", remedy=error.remedy) from None


def _text(value: Any) -> str:
    return format_sizes(value) if isinstance(value, tuple) else str(value)


def in_words(sizes: Sequence[int]) -> str:
    """Return sizes in words, such as `1 to 20`; as `format_sizes` has them if some are left out."""
    text = format_sizes(sizes)
    return text if "," in text else text.replace("-", " to ")


def hyperparameters_of(task: Task) -> Mapping[str, Any]:
    """Return all hyperparameters of the training that a task is, or that it needs."""
    training = _training_of(task)
    return all_hyperparameters(
        training.get("model", "transformer"), training["preset"], training.get("hyperparameters", {})
    )


def settings_of(tasks: Mapping[str, Task]) -> str:
    """Return how trainings were set, in sentences: each preset, with every hyperparameter that is changed, and
    `_SHOWN`.

    A hyperparameter is written as `coc train --set` takes it.

    Args:
        tasks: The trainings, or tasks that need them, by the names to tell them apart.
    """
    presets = dict.fromkeys(_training_of(task)["preset"] for task in tasks.values())
    every = [{name: task for name, task in tasks.items() if _training_of(task)["preset"] == each} for each in presets]
    settings = [_of_one_preset(some, named=len(every) > 1) for some in every]
    losses = dict.fromkeys(hyperparameters_of(task)["loss"] for task in tasks.values())
    return " ".join([f"Training: {'; '.join(settings)}.", *(_LOSSES[loss] for loss in losses)])


def _of_one_preset(tasks: Mapping[str, Task], *, named: bool) -> str:
    trainings = [_training_of(task) for task in tasks.values()]
    changes = [override_texts(training.get("hyperparameters", {}), "") for training in trainings]
    wholes = [override_texts(hyperparameters_of(task), "") for task in tasks.values()]
    shown = list(dict.fromkeys([*(name for each in changes for name in each), *_SHOWN]))
    alike = [name for name in shown if len({whole[name] for whole in wholes}) == 1]
    changed = [name for name in alike if any(name in each for each in changes)]
    own = [name for name in alike if name not in changed and wholes[0][name] != _NONE]
    text = f"preset `{trainings[0]['preset']}`" + (f" with {_listed(changed, wholes[0])}" if changed else "")
    text += f" (its own {_listed(own, wholes[0])})" if own else ""
    rest = [name for name in shown if name not in alike]
    if rest:
        apart = [f"{_listed(rest, whole)} for {name}" for name, whole in zip(tasks, wholes, strict=True)]
        return f"{text}, and {', '.join(apart)}"
    return f"{text} for {' and '.join(tasks)}" if named else text


def _training_of(task: Task) -> Mapping[str, Any]:
    return task.needs.get("model", task).arguments


def _listed(names: Iterable[str], values: Mapping[str, str]) -> str:
    return ", ".join(f"`{name}={values[name]}`" for name in names)
