"""Checkpoints for other libraries: the interface of a backend that writes and reads their formats."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.models import Identity, Pair


@frozen
class Agreement:
    """How closely the other library agrees with the model.

    Attributes:
        prompts: The number of prompts that both were compared on.
        tokens: The number of tokens of these prompts and their targets.
        difference: The largest difference between two logits.
    """

    prompts: int
    tokens: int
    difference: float


class Interchange(ABC):
    """Writes checkpoints in the formats of other libraries, and reads back what it wrote."""

    @abstractmethod
    def formats(self) -> Mapping[str, str]:
        """The formats by name, each with a summary of one line."""

    def exports(self, checkpoint: Path, target: str, out: Path, pairs: Sequence[Pair]) -> Agreement:
        """Write a checkpoint in another library's format, whole or not at all.

        The other library then opens the folder and is compared with the model.

        Args:
            checkpoint: The checkpoint's folder.
            target: The name of the format.
            out: The folder to write.
            pairs: Pairs to compare on, in a dialect of the checkpoint.

        Raises:
            UsageError: If the format is unknown, can't express such a model, or its library is missing.
            ArtefactError: If the checkpoint is broken or the comparison fails.
            StorageError: If `out` can't be written.
        """
        self._check(target)
        return self._exports(checkpoint, target, out, pairs)

    def imports(self, folder: Path, source: str, out: Path, dialect: str | None = None) -> Identity:
        """Turn a folder that `exports` wrote back into a checkpoint.

        Args:
            folder: The exported folder.
            source: The name of its format.
            out: The checkpoint's folder.
            dialect: The dialect that it must have; None for any.

        Returns:
            The identity of the checkpoint.

        Raises:
            UsageError: If the format is unknown, or the folder has another dialect.
            ArtefactError: If the folder contains anything that `exports` does not write.
            StorageError: If `out` can't be written.
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
            raise UsageError(f"unknown format {name!r}", remedy=f"choose from {', '.join(sorted(formats))}")
