"""Hyperparameters that the user sets from Python. All are texts, as `--set` takes them."""

import operator
from collections.abc import Mapping
from typing import SupportsIndex

from coc_core.errors import UsageError
from coc_core.text import quoted


def override_texts(values: Mapping[str, object], where: str) -> dict[str, str]:
    """Values from Python as texts; UsageError, which says `where`, for one that is no number, text, true or false."""
    return {name: _text(name, value, where) for name, value in values.items()}


def _text(name: str, value: object, where: str) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float() | str():
            return str(value)
        case SupportsIndex():
            return str(operator.index(value))  # such as numpy's
    raise UsageError(
        f"{where}: {quoted(name, 40)} is of type {type(value).__name__}",
        remedy="give a number, a text, True or False",
    )
