"""The part of a checkpoint that every backend shares: a folder whose `config.json` says whose it is.

Everything in the folder is hostile until checked. Nothing here unpickles, and a folder that holds a pickle is refused.
"""

from pathlib import Path
from typing import Any

from attrs import frozen

from coc_core.errors import ArtefactError
from coc_core.storage import read_json

CONFIG = "config.json"
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
