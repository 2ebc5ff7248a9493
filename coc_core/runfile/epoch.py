"""The transitions that a stretch of a run may use, unpacked when they are needed."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

from coc_core.errors import ArtefactError
from coc_core.runfile.chunk import MAX_BYTES, MAX_KNOWN_BYTES, MAX_LINE, Transition

_MOST = MAX_KNOWN_BYTES + 2 * (MAX_BYTES + MAX_LINE)  # characters


class Epoch:
    """The transitions that chunks with the same base may use. Each chunk is unpacked at most once.

    Args:
        starts: The number of the first new transition of each chunk of the file.
        read: Returns the new transitions of a chunk, given its index.
    """

    def __init__(self, starts: Sequence[int], read: Callable[[int], Sequence[Transition]]) -> None:
        self._starts = starts
        self._read = read
        self._chunks: dict[int, Sequence[Transition]] = {}
        self._characters = 0

    def transition(self, number: int) -> Transition:
        """Return the transition with this number; ArtefactError if there are far more texts than a recorder keeps."""
        index = bisect_right(self._starts, number) - 1  # the last of those with this start
        found = self._chunks.get(index)
        if found is None:
            found = self._chunks[index] = self._read(index)
            self._characters += sum(len(each.prompt) + len(each.target) for each in found)
            if self._characters > _MOST:
                raise ArtefactError("its steps use more texts than a run file keeps")
        return found[number - self._starts[index]]
