"""Reading a dataset, which is hostile until the last row has been read."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from attrs import frozen

from coc_core.datasets.card import SUBSETS, Card, SubsetName, file_name, read_card
from coc_core.datasets.pairs import Seen
from coc_core.datasets.rows import read_rows
from coc_core.errors import ArtefactError
from coc_core.models import Pair


class Row(NamedTuple):
    """A pair, and where it stands."""

    subset: SubsetName
    line: int
    pair: Pair


@frozen
class Dataset:
    """A dataset's folder, its card, and the SHA-256 of the card's file, which stands for all of it."""

    folder: Path
    card: Card
    sha256: str

    @classmethod
    def open(cls, folder: Path) -> "Dataset":
        """The dataset in `folder`, its card read and checked; ArtefactError if that can't be."""
        card, data = read_card(folder)
        return cls(folder, card, sha256(data).hexdigest())

    def __len__(self) -> int:
        """The pairs of both subsets, as the card says."""
        return self.card.train.pairs + self.card.heldout.pairs

    def file(self, name: SubsetName) -> Iterator[tuple[int, Pair]]:
        """The pairs of one file with the numbers of their lines; ArtefactError as `read_rows` says."""
        half = self.card.subsets[name]
        return read_rows(self.folder / file_name(name), half.pairs, half.bytes, half.sha256)

    def rows(self) -> Iterator[Row]:
        """All rows as they stand, the training half first, audited on the way.

        ArtefactError, which names the file and line, at the first row that is none or whose prompt came before: no
        prompt stands twice, and none that is held out is in training. After the last row of a file its count and hash
        have been compared with the card.
        """
        learned = Seen()
        for name in SUBSETS:
            seen = learned if name == "train" else Seen()
            path = self.folder / file_name(name)
            for line, pair in self.file(name):
                if name == "heldout" and pair.prompt in learned:
                    raise ArtefactError(f"{path}, line {line}: the prompt is not held out: it is in training too")
                if not seen.add(pair.prompt):
                    raise ArtefactError(f"{path}, line {line}: the prompt stands twice")
                yield Row(name, line, pair)
