"""The sizes that a model was trained on, and what lies outside them."""

from collections.abc import Iterable, Mapping
from typing import Any

from coc_core.arithmetic import ADDRESS_DIALECT
from coc_core.cli import console
from coc_core.models import Model, outside, span


def warn_outside(model: Model, sizes: Iterable[int]) -> str:
    """Print that sentence as a note, if there is one; gives it."""
    sentence = outside(model, sizes)
    if sentence:
        console.warn(sentence)
    return sentence


def document(model: Model, sizes: Iterable[int]) -> dict[str, Any]:
    """The same for a JSON document: the first and the last trained size, and the sizes outside them."""
    trained = model.trained_sizes
    return {
        "trained_sizes": [trained[0], trained[-1]] if trained else None,
        "untrained_sizes": [n for n in sizes if n not in trained] if trained else None,
    }


def spans(sizes: Mapping[str, range]) -> str:
    """The trained sizes of a checkpoint: once, if all its dialects have the same."""
    each = {
        dialect: span(known, "addresses " if dialect == ADDRESS_DIALECT else "n=") for dialect, known in sizes.items()
    }
    if len(set(each.values())) == 1:
        return next(iter(each.values()))
    return ", ".join(f"{dialect}: {known}" for dialect, known in each.items())
