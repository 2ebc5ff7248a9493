"""Hyperparameters that the person sets: one by one, or in a file."""

import tomllib
from pathlib import Path

from coc_core.errors import ArtefactError, UsageError
from coc_core.storage import read_bytes
from coc_core.text import quoted

_LARGEST = 1 << 20  # bytes


def parse_override(text: str) -> tuple[str, str]:
    """`name=value`, taken apart."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageError(f"--set {text!r} sets nothing", remedy="write it like --set lr=0.001")
    return name.strip(), value.strip()


def read_config(path: Path) -> dict[str, str]:
    """The values in a TOML file of lines `name = value`, as `--set` would write them; UsageError for anything else."""
    try:
        values = tomllib.loads(read_bytes(path, _LARGEST).decode())
    except ArtefactError as error:
        raise UsageError(error.message) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no TOML: {' '.join(str(error).split())}") from None
    return {name: _text(name, value, path) for name, value in values.items()}


def _text(name: str, value: object, path: Path) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float() | str():
            return str(value)
        case dict():
            kind = "a table"
        case list():
            kind = "a list"
        case _:
            kind = "a date or time"
    raise UsageError(
        f"{path}: {quoted(name, 40)} is {kind}", remedy="write lines of name = value: numbers, texts, true or false"
    )
