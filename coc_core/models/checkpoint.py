"""The part of a checkpoint that all backends share: a folder whose `config.json` names its backend and dialects.

Everything in the folder is untrusted. Nothing here unpickles, and a folder that contains a pickle is rejected.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from attrs import Factory, frozen

from coc_core.errors import ArtefactError
from coc_core.storage import read_json

CONFIG = "config.json"
_PICKLES = {".bin", ".ckpt", ".joblib", ".npy", ".npz", ".pickle", ".pkl", ".pt", ".pth"}
_LARGEST_SIZE = 10**18


@frozen
class Identity:
    """What a checkpoint is.

    Attributes:
        backend: The name of the model backend that opens it.
        dialects: The dialects (`Convention.dialect`) that it was trained on.
        sizes: The problem sizes that it was trained on, for each dialect for which they are known. For address
            arithmetic these are addresses.
    """

    backend: str
    dialects: tuple[str, ...]
    sizes: Mapping[str, range] = Factory(dict)

    def to_json(self) -> dict[str, Any]:
        """The keys of `config.json` that `read_config` reads; without sizes if none are known."""
        sizes = {dialect: [sizes[0], sizes[-1]] for dialect, sizes in self.sizes.items()}
        document = {"backend": self.backend, "dialects": list(self.dialects)}
        return document | ({"sizes": sizes} if sizes else {})


def read_config(folder: Path) -> tuple[Identity, dict[str, Any]]:
    """Read `config.json`.

    Returns:
        The identity, and the keys that are the backend's own.

    Raises:
        ArtefactError: If the folder can't be trusted.
    """
    try:
        pickles = sorted(path.name for path in folder.iterdir() if path.suffix.lower() in _PICKLES)
    except OSError as error:
        raise ArtefactError(f"{folder} is not a checkpoint: {error.strerror}") from None
    if pickles:
        raise ArtefactError(
            f"{folder} contains {pickles[0]}, which may be a pickle", remedy="only model.safetensors is ever opened"
        )
    config = read_json(folder / CONFIG)
    backend, dialects = config.pop("backend", None), config.pop("dialects", None)
    if not isinstance(backend, str) or not isinstance(dialects, list) or not all(isinstance(d, str) for d in dialects):
        raise ArtefactError(f"{folder / CONFIG} must name a backend and a list of dialects")
    sizes = sizes_from_json(config.pop("sizes", {}), dialects, str(folder / CONFIG))
    return Identity(backend, tuple(dialects), sizes), config


def sizes_from_json(values: object, dialects: Iterable[str], where: str) -> dict[str, range]:
    """Read the trained sizes that `Identity.to_json` wrote: a first and a last size for some of the dialects.

    Raises:
        ArtefactError: If it is anything else; the error calls the file `where`.
    """
    known = set(dialects)
    if not isinstance(values, dict) or not values.keys() <= known:
        raise ArtefactError(f"{where}: 'sizes' must be a JSON object whose keys are dialects of the checkpoint")
    for dialect, value in values.items():
        if not _is_span(value):
            raise ArtefactError(
                f"{where}: the 'sizes' of {dialect} must be the first and the last of them, not {value!r:.40}"
            )
    return {dialect: range(first, last + 1) for dialect, (first, last) in values.items()}


def _is_span(value: object) -> bool:
    match value:
        case [first, last] if type(first) is int and type(last) is int:
            return 0 <= first <= last <= _LARGEST_SIZE
    return False
