"""The sizes that a model was trained on, and what lies outside them."""

from collections.abc import Iterable
from typing import Any

from coc_core.cli import console
from coc_core.models import Model, outside


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
