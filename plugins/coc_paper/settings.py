"""How a training was set, in words that are made from the arguments that the training receives."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coc_core.text import format_sizes
from coc_learn.hyperparameters import override_texts
from coc_paper.tasks import Task
from coc_paper.work.learning import all_hyperparameters

_TOLD = ("loss", "name_permutation", "prioritised_replay")
"""What is told of every training that has it, since the paper says other things of it, or nothing."""
_NONE = "0.0"

_LOSSES = {
    "target": "`loss=target` leaves the prompt out, as the paper's appendix says.",
    "all": "`loss=all` is that of all tokens, prompt included, as the paper's section on experiments says.",
}
"""What the losses are; the paper contradicts itself."""


def in_words(sizes: Sequence[int]) -> str:
    """Sizes in words, such as `1 to 20`; as `format_sizes` has them if some are left out."""
    text = format_sizes(sizes)
    return text if "," in text else text.replace("-", " to ")


def is_training(task: Task) -> bool:
    """Whether the task is a training, and not only built on one."""
    return "preset" in task.arguments


def hyperparameters_of(task: Task) -> Mapping[str, Any]:
    """All hyperparameters of the training that a task is, or that it needs."""
    training = _training_of(task)
    return all_hyperparameters(
        training.get("model", "transformer"), training["preset"], training.get("hyperparameters", {})
    )


def settings_of(tasks: Mapping[str, Task]) -> str:
    """How trainings were set, in sentences: each preset, with every hyperparameter that is changed, and `_TOLD`.

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
    shown = list(dict.fromkeys([*(name for each in changes for name in each), *_TOLD]))
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
