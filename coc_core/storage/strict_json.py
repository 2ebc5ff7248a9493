"""Strict JSON: one object in UTF-8, each key once, no NaN or Infinity, no number that is too large for a float."""

import json
import math
from pathlib import Path
from typing import Any

from coc_core.errors import ArtefactError
from coc_core.storage.files import read_bytes

_MAX_BYTES = 1 << 20
_MAX_ENTRIES = 1 << 18  # each may become an object of 64 bytes or more
_MAX_DIGITS = 300  # a float has at most 309 before its point


def read_json(path: Path, max_bytes: int = _MAX_BYTES) -> dict[str, Any]:
    """Return the JSON object in a file.

    Raises:
        ArtefactError: The file has more than `max_bytes` bytes, can't be read, or is not one strict JSON object.
    """
    return parse_json_object(read_bytes(path, max_bytes), str(path))


def parse_json_object(data: bytes, where: str) -> dict[str, Any]:
    """Parse a JSON object.

    Args:
        data: The JSON text.
        where: What the text is called in error messages.

    Raises:
        ArtefactError: It is not one strict JSON object, or has too many entries.
    """
    if sum(map(data.count, (b",", b"[", b"{"))) > _MAX_ENTRIES:
        raise ArtefactError(f"{where} has more than {_MAX_ENTRIES:,} entries")
    try:
        value = json.loads(
            data.decode(),
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_int=_integer,
            parse_float=_finite,
        )
    except (ValueError, RecursionError) as error:
        raise ArtefactError(f"{where} is not strict JSON: {error}") from None
    if not isinstance(value, dict):
        raise ArtefactError(f"{where} is not a JSON object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key appears twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not strict JSON")


def _integer(text: str) -> int:
    if text == "-0":
        raise ValueError("-0 must be written 0")
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number has {len(text):,} digits")
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number
