"""The part of a checkpoint that all backends share: a folder whose `config.json` names its backend and dialects.

Everything in the folder is untrusted. Nothing here unpickles, and a folder that contains a pickle is rejected.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import Factory, asdict, fields, frozen

from coc_core.errors import ArtefactError
from coc_core.storage import check_name, read_json

CONFIG = "config.json"
_PICKLES = {".bin", ".ckpt", ".joblib", ".npy", ".npz", ".pickle", ".pkl", ".pt", ".pth"}
_LARGEST_SIZE = 10**18


@frozen
class SizeResult:
    """The result of a test on problems of one size: how many of their distinct pairs the model predicts exactly.

    Attributes:
        n: The size; for address arithmetic, the number of digits.
        problems: How many problems the pairs are of. If all pairs are exact, all of them are solved.
        pairs: How many distinct pairs their runs have.
        exact: How many of these are exact.
    """

    n: int
    problems: int
    pairs: int
    exact: int

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
        """The keys of `config.json` that `read_config` reads; without sizes and tests if there are none."""
        sizes = {dialect: [sizes[0], sizes[-1]] for dialect, sizes in self.sizes.items()}
        document = {"backend": self.backend, "dialects": list(self.dialects)}
        tested = {dialect: [asdict(result) for result in results] for dialect, results in self.tested.items()}
        return document | ({"sizes": sizes} if sizes else {}) | ({"tested": tested} if tested else {})


def read_config(folder: Path) -> tuple[Identity, dict[str, Any]]:
    """Read `config.json`.

    Returns:
        The identity, and the keys that are the backend's own.

    Raises:
        ArtefactError: If the folder can't be trusted.
    """
    try:
        check_name(folder)
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
    tested = _tested_from_json(config.pop("tested", {}), dialects, str(folder / CONFIG))
    return Identity(backend, tuple(dialects), sizes, tested), config


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


def _tested_from_json(values: object, dialects: Iterable[str], where: str) -> dict[str, tuple[SizeResult, ...]]:
    """Read the results of tests that `Identity.to_json` wrote; ArtefactError for anything else."""
    known = set(dialects)
    if not isinstance(values, dict) or not values.keys() <= known:
        raise ArtefactError(f"{where}: 'tested' must be a JSON object whose keys are dialects of the checkpoint")
    for dialect, results in values.items():
        if not isinstance(results, list) or not all(map(_is_result, results)):
            raise ArtefactError(
                f"{where}: the 'tested' sizes of {dialect} must be objects of the whole numbers n, problems, pairs and"
                f" exact, not {results!r:.40}"
            )
    return {dialect: tuple(SizeResult(**result) for result in results) for dialect, results in values.items()}


def _is_result(value: object) -> bool:
    if not isinstance(value, dict) or value.keys() != {each.name for each in fields(SizeResult)}:
        return False
    return all(type(number) is int and 0 <= number <= _LARGEST_SIZE for number in value.values()) and bool(
        value["exact"] <= value["pairs"]
    )


def _is_span(value: object) -> bool:
    match value:
        case [first, last] if type(first) is int and type(last) is int:
            return 0 <= first <= last <= _LARGEST_SIZE
    return False
