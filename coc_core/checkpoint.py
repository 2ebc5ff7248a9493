"""The part of a checkpoint that every backend shares: a folder whose `config.json` says whose it is.

Everything in the folder is hostile until checked. Nothing here unpickles, and a folder that holds a pickle is refused.
"""

import json
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError
from coc_core.files import read_bytes

CONFIG = "config.json"
_LARGEST_CONFIG = 1 << 20  # bytes
_PICKLES = {".bin", ".ckpt", ".joblib", ".npy", ".npz", ".pickle", ".pkl", ".pt", ".pth"}


@frozen
class Identity:
    """Which backend opens a checkpoint, and which dialects (`Convention.dialect`) it has learned."""

    backend: str
    dialects: tuple[str, ...]


def read_config(folder: Path) -> tuple[Identity, dict[str, Any]]:
    """The identity in `config.json`, and the backend's own keys; ArtefactError if the folder can't be trusted."""
    try:
        pickles = sorted(path.name for path in folder.iterdir() if path.suffix.lower() in _PICKLES)
    except OSError as error:
        raise ArtefactError(f"{folder} is not a checkpoint: {error.strerror}") from None
    if pickles:
        raise ArtefactError(
            f"{folder} holds {pickles[0]}, which can hide a pickle", remedy="only model.safetensors is ever opened"
        )
    config = read_json(folder / CONFIG)
    backend, dialects = config.pop("backend", None), config.pop("dialects", None)
    if not isinstance(backend, str) or not isinstance(dialects, list) or not all(isinstance(d, str) for d in dialects):
        raise ArtefactError(f"{folder / CONFIG} must name a backend and a list of dialects")
    return Identity(backend, tuple(dialects)), config


def read_json(path: Path, largest: int = _LARGEST_CONFIG) -> dict[str, Any]:
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
