"""Strict JSON: one object, each key once, no NaN or Infinity."""

import json
from pathlib import Path
from typing import Any

from coc_core.errors import ArtefactError
from coc_core.storage.files import read_bytes

_LARGEST = 1 << 20  # bytes


def read_json(path: Path, largest: int = _LARGEST) -> dict[str, Any]:
    """The JSON object in a file of at most `largest` bytes; ArtefactError for anything else, repeated keys included."""
    return parse_json_object(read_bytes(path, largest), str(path))


def parse_json_object(data: bytes, where: str) -> dict[str, Any]:
    """The JSON object that `data` writes; `where` names it in the ArtefactError otherwise."""
    try:
        value = json.loads(data, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ArtefactError(f"{where} is not strict JSON: {error}") from None
    if not isinstance(value, dict):
        raise ArtefactError(f"{where} holds no JSON object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
