"""The card of a dataset, `card.json`: how the pairs were made, how many there are, and the hashes of the files."""

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from attrs import frozen

from coc_core.datasets.rows import MOST_BYTES, MOST_PAIRS
from coc_core.datasets.spec import DatasetSpec, HoldOutBy
from coc_core.domain import Split
from coc_core.errors import ArtefactError
from coc_core.storage import check_sums, parse_json_object, read_bytes
from coc_core.text import MOST_SIZES

CARD = "card.json"
FORMAT = 3
GENERATOR = "chain-of-computation"
SUBSETS: tuple["SubsetName", "SubsetName"] = ("train", "heldout")

SubsetName = Literal["train", "heldout"]

_MOST_BYTES = 1 << 20  # of the card itself
_GREATEST = 10**18
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DIALECT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,255}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@frozen
class Subset:
    """The contents of a file: how many pairs, how many bytes uncompressed, and the SHA-256 of these bytes."""

    pairs: int
    bytes: int
    sha256: str


@frozen
class Card:
    """The description of a dataset.

    `dialect` is the `Convention.dialect` of domain, memory and arithmetic, `version` is coc's, and `command` is the one
    that built the dataset.
    """

    domain: str
    memory: str
    arith: str
    dialect: str
    spec: DatasetSpec
    train: Subset
    heldout: Subset
    version: str
    command: str

    @property
    def subsets(self) -> Mapping[SubsetName, Subset]:
        """The contents of both files, by the names of the subsets, in the order of reading."""
        return {"train": self.train, "heldout": self.heldout}


def file_name(subset: SubsetName) -> str:
    """The name of the file of a subset."""
    return f"{subset}.jsonl.gz"


def to_json(card: Card) -> dict[str, Any]:
    """The card as a JSON document."""
    spec = card.spec
    return {
        "format": FORMAT,
        "generator": GENERATOR,
        "version": card.version,
        "domain": card.domain,
        "memory": card.memory,
        "arith": card.arith,
        "dialect": card.dialect,
        "sizes": list(spec.sizes),
        "instances": spec.instances,
        "enumerated": spec.enumerated,
        "near_goal": spec.near_goal,
        "split": str(spec.split),
        "holdout_by": str(spec.by),
        "holdout": spec.holdout,
        "seed": spec.seed,
        "files": {
            file_name(name): {"pairs": subset.pairs, "bytes": subset.bytes, "sha256": subset.sha256}
            for name, subset in card.subsets.items()
        },
        "command": card.command,
    }


def read_card(folder: Path) -> tuple[Card, bytes]:
    """The card in a folder, and the bytes of its file; ArtefactError if it is unreadable, not valid, or changed."""
    path = folder / CARD
    data = read_bytes(path, _MOST_BYTES, links=False)
    card = from_json(parse_json_object(data, str(path)), str(path))
    check_sums(folder, {CARD: sha256(data).hexdigest()})
    return card, data


def from_json(document: Mapping[str, Any], where: str) -> Card:
    """The card in a JSON document; ArtefactError, naming `where` and the key, if it is not valid."""
    if document.get("format") != FORMAT:
        raise ArtefactError(f"{where} is not of format {FORMAT}, which this version of coc reads")
    _check(document, _KEYS, where)
    files = document["files"]
    for name in files:
        _check(files[name], _FILE_KEYS, f"{where}, {name!r}")
    return Card(
        domain=document["domain"],
        memory=document["memory"],
        arith=document["arith"],
        dialect=document["dialect"],
        spec=DatasetSpec(
            document["sizes"],
            document["instances"],
            Split(document["split"]),
            HoldOutBy(document["holdout_by"]),
            document["holdout"],
            document["seed"],
            document["enumerated"],
            document["near_goal"],
        ),
        train=Subset(**files[file_name("train")]),
        heldout=Subset(**files[file_name("heldout")]),
        version=document["version"],
        command=document["command"],
    )


def _check(document: object, keys: Mapping[str, Callable[[Any], bool]], where: str) -> None:
    """ArtefactError unless the document has exactly these keys, and each value passes its test."""
    if not isinstance(document, dict):
        raise ArtefactError(f"{where} is not a JSON object")
    for name in sorted({*keys, *document}):
        if name not in document:
            raise ArtefactError(f"{where} lacks {name!r}")
        if name not in keys:
            raise ArtefactError(f"{where} has the unknown key {name!a:.80}")
        if not keys[name](document[name]):
            raise ArtefactError(f"{where}: {name!r} can't be {document[name]!a:.80}")


def _whole(least: int, most: int = _GREATEST) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _text(pattern: re.Pattern[str]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def _are_sizes(value: Any) -> bool:
    """Whether a value is an ascending list of sizes, at least one."""
    return (
        isinstance(value, list)
        and 0 < len(value) <= MOST_SIZES
        and all(map(_whole(0), value))
        and all(before < after for before, after in pairwise(value))
    )


_KEYS: Mapping[str, Callable[[Any], bool]] = {
    "format": _whole(FORMAT, FORMAT),
    "generator": _text(_NAME),
    "version": _text(_NAME),
    "domain": _text(_NAME),
    "memory": _text(_NAME),
    "arith": _text(_NAME),
    "dialect": _text(_DIALECT),
    "sizes": _are_sizes,
    "instances": _whole(1),
    "enumerated": _whole(0),
    "near_goal": _whole(0),
    "split": lambda value: value in list(Split),
    "holdout_by": lambda value: value in list(HoldOutBy),
    "holdout": lambda value: type(value) in (int, float) and 0 <= value < 1,
    "seed": _whole(-_GREATEST),
    "files": lambda value: isinstance(value, dict) and sorted(value) == sorted(map(file_name, SUBSETS)),
    "command": lambda value: isinstance(value, str),
}
_FILE_KEYS: Mapping[str, Callable[[Any], bool]] = {
    "pairs": _whole(0, MOST_PAIRS),
    "bytes": _whole(0, MOST_BYTES),
    "sha256": _text(_SHA256),
}
