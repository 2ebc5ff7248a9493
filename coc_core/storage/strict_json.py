"""Strict JSON: one object, each key once, no NaN or Infinity."""

import json
from pathlib import Path
from typing import Any

from coc_core.errors import ArtefactError
from coc_core.storage.files import read_bytes

_MAX_BYTES = 1 << 20


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
        ArtefactError: It is not one strict JSON object.
    """
    try:
        value = json.loads(data, object_pairs_hook=_unique, parse_constant=_no_constant)
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
