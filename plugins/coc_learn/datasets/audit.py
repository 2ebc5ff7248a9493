"""Reading a dataset. It is not trusted until its last row has been read."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from attrs import frozen

from coc_core.errors import ArtefactError
from coc_core.models import Pair
from coc_learn.datasets.card import SUBSETS, Card, SubsetName, file_name, read_card
from coc_learn.datasets.pairs import Seen
from coc_learn.datasets.rows import read_rows


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
        """The dataset in `folder`; ArtefactError if its card can't be read or makes no sense."""
        card, data = read_card(folder)
        return cls(folder, card, sha256(data).hexdigest())

    def __len__(self) -> int:
        """The number of pairs in both subsets, according to the card."""
        return sum(subset.pairs for subset in self.card.files.values())

    def file(self, name: SubsetName) -> Iterator[tuple[int, Pair]]:
        """The line numbers and pairs of one file; errors as for `read_rows`."""
        subset = self.card.subsets[name]
        return read_rows(self.folder / file_name(name), subset.pairs, subset.bytes, subset.sha256)

    def rows(self) -> Iterator[Row]:
        """All rows in order, the training subset first, audited while they are read.

        No prompt appears twice, and no held-out prompt is in the training subset. After the last row of a file, its
        count and hash have been compared with the card.

        Raises:
            ArtefactError: At the first row that breaks a rule; it names the file and line.
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
