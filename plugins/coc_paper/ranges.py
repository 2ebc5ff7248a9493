"""Which results can't be: counts beyond what was counted, shares beyond one, negative numbers."""

from collections.abc import Mapping
from typing import Any

_OF = {
    "successes": "instances",
    "train_exact": "train_pairs",
    "heldout_exact": "heldout_pairs",
    "exact": "pairs",
    "wrong": "pairs",
}
_PAIRS = ("training", "held-out", "tested")
"""Lists of how many were right, and of how many."""

_SHARES = ("rate", "low", "high", "predicted")


def out_of_range(result: Any) -> str:
    """Why a result can't be one, in a few words; empty if it can."""
    if isinstance(result, Mapping):
        wrong = (_wrong(result, name) or out_of_range(value) for name, value in result.items())
        return next(filter(None, wrong), "")
    if isinstance(result, list):
        return next(filter(None, map(out_of_range, result)), "")
    return f"{result} is negative" if isinstance(result, int | float) and result < 0 else ""


def _wrong(result: Mapping[str, Any], name: str) -> str:
    value = result[name]
    if name in _SHARES and not (isinstance(value, int | float) and 0 <= value <= 1):
        return f"{name} is {value!r:.40}, which is not from 0 to 1"
    if name in _OF and _OF[name] in result and not _counts(value, result[_OF[name]]):
        return f"{name} is {value!r:.40} of {result[_OF[name]]!r:.40} {_OF[name]}"
    if name in _PAIRS and isinstance(value, list) and not (len(value) == 2 and _counts(*value)):
        return f"{name} is {value!r:.40}"
    if name == "rate" and "successes" in result and abs(value * result["instances"] - result["successes"]) > 1e-6:
        return f"rate is {value!r:.40}, but {result['successes']:,} of {result['instances']:,} were solved"
    return ""


def _counts(part: Any, of: Any) -> bool:
    return type(part) is int and type(of) is int and 0 <= part <= of
