"""Hyperparameters that the user sets: one by one, or in a file. All are texts, as `--set` takes them."""

import operator
import tomllib
from collections.abc import Mapping
from datetime import date, time
from pathlib import Path
from typing import SupportsIndex

from coc_core.errors import ArtefactError, UsageError
from coc_core.storage import read_bytes
from coc_core.text import quoted

_LARGEST = 1 << 20  # bytes


def read_config(path: Path) -> dict[str, str]:
    """The values in a TOML file of lines `name = value`, as `--set` would write them; UsageError for anything else."""
    try:
        values = tomllib.loads(read_bytes(path, _LARGEST).decode())
    except ArtefactError as error:
        raise UsageError(error.message) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not valid TOML: {' '.join(str(error).split())}") from None
    return override_texts(values, str(path))


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
        case dict():
            kind = "a table"
        case list():
            kind = "a list"
        case date() | time():
            kind = "a date or time"
        case _:
            kind = f"of type {type(value).__name__}"
    raise UsageError(
        f"{where}: {quoted(name, 40)} is {kind}", remedy="write lines of name = value: numbers, texts, true or false"
    )
