"""How trainings are set, in words that are made from their arguments."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coc_core.text import format_sizes
from coc_learn.options import override_texts
from coc_paper.tasks import Task
from coc_paper.work.learning import hyperparameters

_SHOWN = ("loss", "name_permutation", "prioritised_replay")  # of every training, since the paper has them otherwise
_LOSSES = {  # the paper contradicts itself
    "target": "`loss=target` leaves the prompt out, as the paper's appendix says.",
    "all": "`loss=all` is that of all tokens, prompt included, as the paper's section on experiments says.",
}


def in_words(sizes: Sequence[int]) -> str:
    """Return sizes in words, such as `1 to 20`; as `format_sizes` has them if some are left out."""
    text = format_sizes(sizes)
    return text if "," in text else text.replace("-", " to ")


def hyperparameters_of(task: Task) -> Mapping[str, Any]:
    """Return all hyperparameters of the training that a task is, or that it needs."""
    training = _training_of(task)
    return hyperparameters(None, {}, "transformer", training["preset"], training.get("hyperparameters", {}))


def settings_of(tasks: Mapping[str, Task]) -> str:
    """Return how trainings were set: presets, with the hyperparameters that are changed or `_SHOWN`; and the losses.

    `tasks` are the trainings, or tasks that need them, by the names to tell them apart.
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
