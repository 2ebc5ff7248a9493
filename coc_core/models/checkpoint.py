"""The part of a checkpoint that all backends share: a folder whose `config.json` names its backend and dialects.

Everything in the folder is untrusted. Nothing here unpickles, and a folder that contains a pickle is rejected.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from attrs import Factory, asdict, fields_dict, frozen

from coc_core.errors import ArtefactError
from coc_core.storage import check_name, read_document, read_json

CONFIG = "config.json"
_PICKLES = {".bin", ".ckpt", ".joblib", ".npy", ".npz", ".pickle", ".pkl", ".pt", ".pth"}
_Number = Annotated[int, range(10**18 + 1)]


@frozen
class SizeResult:
    """The result of a test on problems of one size: how many of their distinct pairs the model predicts exactly.

    Attributes:
        n: The size; for address arithmetic, the number of digits.
        problems: How many problems the pairs are of. If all pairs are exact, all of them are solved.
        pairs: How many distinct pairs their runs have.
        exact: How many of these are exact.
    """

    n: _Number
    problems: _Number
    pairs: _Number
    exact: _Number

    def __attrs_post_init__(self) -> None:
        if self.exact > self.pairs:
            raise ValueError(f"exact is {self.exact:,}, but there are {self.pairs:,} pairs")

    @property
    def wrong(self) -> int:
        """How many pairs are not exact."""
        return self.pairs - self.exact


@frozen
class Identity:
    """What a checkpoint is.

    Attributes:
        backend: The name of the model backend that opens it.
        dialects: The dialects (`Convention.dialect`) that it was trained on.
        sizes: The problem sizes that it was trained on, for each dialect for which they are known. For address
            arithmetic these are addresses.
        tested: The results of the tests after the training, by size, for each dialect that was tested.
    """

    backend: str
    dialects: tuple[str, ...]
    sizes: Mapping[str, range] = Factory(dict)
    tested: Mapping[str, Sequence[SizeResult]] = Factory(dict)

    def to_json(self) -> dict[str, Any]:
        """Return the keys of `config.json` that `read_config` reads; without sizes and tests if there are none."""
        sizes = {dialect: [sizes[0], sizes[-1]] for dialect, sizes in self.sizes.items()}
        document = {"backend": self.backend, "dialects": list(self.dialects)}
        tested = {dialect: [asdict(result) for result in results] for dialect, results in self.tested.items()}
        return document | ({"sizes": sizes} if sizes else {}) | ({"tested": tested} if tested else {})


def _check_pickles(folder: Path) -> None:
    """Raise ArtefactError for a folder that can't be listed, or contains what may be a pickle."""
    try:
        check_name(folder)
        pickles = sorted(path.name for path in folder.iterdir() if path.suffix.lower() in _PICKLES)
    except OSError as error:
        raise ArtefactError(f"{folder} is not a checkpoint: {error.strerror}") from None
    if pickles:
        raise ArtefactError(
            f"{folder} contains {pickles[0]}, which may be a pickle", remedy="only model.safetensors is ever opened"
        )


def read_config(folder: Path) -> tuple[Identity, dict[str, Any]]:
    """Return the identity in `config.json` and the keys of the backend's own; ArtefactError if it can't be trusted."""
    _check_pickles(folder)
    config = read_json(folder / CONFIG)
    own, where = {name: config.pop(name) for name in fields_dict(Identity) if name in config}, str(folder / CONFIG)
    identity = read_document(Identity, own, where, sparse=True)
    if unknown := sorted({*identity.sizes, *identity.tested} - {*identity.dialects}):
        raise ArtefactError(f"{where} has sizes or tests of {unknown[0]!a:.80}, which is no dialect of the checkpoint")
    return identity, config
