"""Checkpoints for other libraries: what a backend that can write and read their formats has to offer."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.models.checkpoint import Identity
from coc_core.models.pair import Pair


@frozen
class Agreement:
    """How closely the other library follows our model: on how many prompts and tokens it was compared, and the
    largest difference between two logits.
    """

    prompts: int
    tokens: int
    difference: float


class Interchange(ABC):
    """Writes checkpoints in other libraries' formats, and reads back what it wrote."""

    @abstractmethod
    def formats(self) -> Mapping[str, str]:
        """The formats by name, each with one line about it."""

    def exports(self, checkpoint: Path, target: str, out: Path, pairs: Sequence[Pair]) -> Agreement:
        """Write the checkpoint to the folder `out` in the format `target`, whole or not at all.

        The other library then opens the folder and is compared with our model on `pairs`, of a dialect that the
        checkpoint speaks. Raises UsageError if the format is unknown, can't hold such a model, or its library is
        missing, ArtefactError if the checkpoint is broken or the comparison fails, StorageError if `out` can't be
        written.
        """
        self._check(target)
        return self._exports(checkpoint, target, out, pairs)

    def imports(self, folder: Path, source: str, out: Path, dialect: str | None = None) -> Identity:
        """Make the checkpoint `out` of a folder that `exports` wrote in the format `source`; gives what it speaks.

        Raises UsageError if the format is unknown or the folder is of another dialect than `dialect`, ArtefactError if
        the folder holds anything that `exports` does not write, StorageError if `out` can't be written.
        """
        self._check(source)
        return self._imports(folder, source, out, dialect)

    @abstractmethod
    def _exports(self, checkpoint: Path, target: str, out: Path, pairs: Sequence[Pair]) -> Agreement: ...

    @abstractmethod
    def _imports(self, folder: Path, source: str, out: Path, dialect: str | None) -> Identity: ...

    def _check(self, name: str) -> None:
        formats = self.formats()
        if name not in formats:
            raise UsageError(f"unknown format {name!r}", remedy=f"there are {', '.join(sorted(formats))}")
