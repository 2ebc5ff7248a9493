"""Reading a dataset, which is not trusted until its last row has been read, and its card, `card.json`.

The card says how the pairs were made, how many there are, and the hashes of the files.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from attrs import frozen

from coc_core.errors import ArtefactError
from coc_core.models import Pair
from coc_core.storage import check_sums, parse_json_object, read_bytes, read_document
from coc_learn.datasets.pairs import Seen
from coc_learn.datasets.rows import MOST_BYTES, MOST_PAIRS, read_rows
from coc_learn.datasets.spec import DatasetSpec, HoldOutBy
from coc_problems import MOST_SIZES, Split

CARD = "card.json"
FORMAT = 3
GENERATOR = "chain-of-computation"
SUBSETS: tuple["SubsetName", "SubsetName"] = ("train", "heldout")

SubsetName = Literal["train", "heldout"]

_MOST_BYTES = 1 << 20  # of the card itself
_GREATEST = 10**18

_Name = Annotated[str, re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")]
_Number = Annotated[int, range(_GREATEST + 1)]


@frozen
class Subset:
    """The contents of a file: how many pairs, how many bytes uncompressed, and the SHA-256 of these bytes."""

    pairs: Annotated[int, range(MOST_PAIRS + 1)]
    bytes: Annotated[int, range(MOST_BYTES + 1)]
    sha256: Annotated[str, re.compile(r"[0-9a-f]{64}")]


@frozen(kw_only=True)
class Card:
    """The description of a dataset, field by field as in its file: `dialect` is the setting's, `version` coc's, `files`
    has the contents of both files by name, and `command` built the dataset. The rest is the `spec`.
    """

    format: int = FORMAT
    generator: _Name = GENERATOR
    version: _Name
    domain: _Name
    memory: _Name
    arith: _Name
    dialect: Annotated[str, re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,255}")]
    sizes: Annotated[tuple[_Number, ...], range(1, MOST_SIZES + 1)]
    instances: Annotated[int, range(1, _GREATEST + 1)]
    enumerated: _Number
    near_goal: _Number
    split: Split
    holdout_by: HoldOutBy
    holdout: Annotated[float, range(1)]
    seed: Annotated[int, range(-_GREATEST, _GREATEST + 1)]
    files: Mapping[str, Subset]
    command: str

    @property
    def spec(self) -> DatasetSpec:
        """Which problems were drawn, and which of their pairs were held out."""
        drawn = self.sizes, self.instances, self.split, self.holdout_by, self.holdout
        return DatasetSpec(*drawn, self.seed, self.enumerated, self.near_goal)

    @property
    def subsets(self) -> Mapping[SubsetName, Subset]:
        """The contents of both files, by the names of the subsets, in the order of reading."""
        return {name: self.files[file_name(name)] for name in SUBSETS}


def file_name(subset: SubsetName) -> str:
    """Return the name of the file of a subset."""
    return f"{subset}.jsonl.gz"


def read_card(folder: Path) -> tuple[Card, bytes]:
    """Return the card in a folder, and its file's bytes; ArtefactError if it is unreadable, not valid or changed."""
    path = folder / CARD
    data = read_bytes(path, _MOST_BYTES, links=False)
    card = from_json(parse_json_object(data, str(path)), str(path))
    check_sums(folder, {CARD: sha256(data).hexdigest()})
    return card, data


def from_json(document: Mapping[str, Any], where: str) -> Card:
    """Return the card in a JSON document; ArtefactError, naming `where` and the key, if it is not valid."""
    if document.get("format") != FORMAT:
        raise ArtefactError(f"{where} is not of format {FORMAT}, which this version of coc reads")
    card = read_document(Card, document, where)
    if not all(before < after for before, after in pairwise(card.sizes)):
        raise ArtefactError(f"{where}: sizes are not in order")
    if card.files.keys() != {*map(file_name, SUBSETS)}:
        raise ArtefactError(f"{where}: files are not {' and '.join(map(file_name, SUBSETS))}")
    return card


class Row(NamedTuple):
    """A pair, and its place in the dataset; lines are counted from 1."""

    subset: SubsetName
    line: int
    pair: Pair


@frozen
class Dataset:
    """A dataset's folder, its card, and the SHA-256 of the card's file, which identifies the whole dataset."""

    folder: Path
    card: Card
    sha256: str

    @classmethod
    def open(cls, folder: Path) -> "Dataset":
        """Return the dataset in `folder`; ArtefactError if its card can't be read or makes no sense."""
        card, data = read_card(folder)
        return cls(folder, card, sha256(data).hexdigest())

    def __len__(self) -> int:
        """Return the number of pairs in both subsets, according to the card."""
        return sum(subset.pairs for subset in self.card.files.values())

    def file(self, name: SubsetName) -> Iterator[tuple[int, Pair]]:
        """Return the line numbers and pairs of one file; errors as for `read_rows`."""
        subset = self.card.subsets[name]
        return read_rows(self.folder / file_name(name), subset.pairs, subset.bytes, subset.sha256)

    def rows(self) -> Iterator[Row]:
        """Yield all rows in order, the training subset first, audited while they are read: no prompt appears twice, and
        count and hash of a file are those of the card after its last row. ArtefactError, with file and line, at the
        first row that breaks a rule.
        """
        trained = Seen()
        for name in SUBSETS:
            seen = trained if name == "train" else Seen()
            path = self.folder / file_name(name)
            for line, pair in self.file(name):
                if name == "heldout" and pair.prompt in trained:
                    raise ArtefactError(f"{path}, line {line}: the prompt is not held out: it is also in training")
                if not seen.add(pair.prompt):
                    raise ArtefactError(f"{path}, line {line}: the prompt appears twice")
                yield Row(name, line, pair)
