"""The sizes that a model was trained on, and what is outside them, in words."""

from collections.abc import Iterable

from coc_core.models.base import Model
from coc_core.text import format_sizes


def outside(model: Model, sizes: Iterable[int]) -> str:
    """Return a sentence about the sizes that the model was not trained on; empty if there are none or it is unknown."""
    trained = model.trained_sizes
    unseen = [n for n in sizes if trained is not None and n not in trained]
    if trained is None or not unseen:
        return ""
    return f"the model was trained on {span(trained)}; n={format_sizes(unseen)} is outside that range"


def span(sizes: range, unit: str = "n=") -> str:
    """Return a range of sizes, or of addresses, such as `n=1-20`."""
    return f"{unit}{sizes[0]}-{sizes[-1]}" if len(sizes) > 1 else f"{unit}{sizes[0]}"
