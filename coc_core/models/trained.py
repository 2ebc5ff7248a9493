"""The sizes that a model was trained on, and those that it was tested on, in words."""

from collections.abc import Iterable

from coc_core.models.base import Model
from coc_core.text import format_sizes


def outside(model: Model, sizes: Iterable[int]) -> str:
    """Return a sentence about the sizes that the model was not trained on; empty if there are none or it is unknown.

    It tells what tests of these sizes found.
    """
    trained = model.trained_sizes
    unseen = [n for n in sizes if trained is not None and n not in trained]
    if trained is None or not unseen:
        return ""
    results = [model.tested_sizes[n] for n in unseen if n in model.tested_sizes]
    exact, wrong = ([each.n for each in results if bool(each.wrong) is failed] for failed in (False, True))
    return (
        f"the model was trained on {span(trained)}; n={format_sizes(unseen)} is outside that range"
        + (f"; tests of n={format_sizes(exact)} found no wrong target" if exact else "")
        + (f"; tests of n={format_sizes(wrong)} found wrong targets" if wrong else "")
    )


def span(sizes: range, unit: str = "n=") -> str:
    """Return a range of sizes, or of addresses, such as `n=1-20`."""
    return f"{unit}{sizes[0]}-{sizes[-1]}" if len(sizes) > 1 else f"{unit}{sizes[0]}"
