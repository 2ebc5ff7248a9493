"""The memories: where windows of text are kept, and which one is next.

A memory knows nothing of a domain or a model. `fetch` looks at the next window without changing anything, `apply`
commits a whole step or raises and leaves everything as it was, and `mark`/`rollback` go back in constant time.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

WindowT = TypeVar("WindowT")
WriteT = TypeVar("WriteT")


class Memory(ABC, Generic[WindowT, WriteT]):
    """An external memory that holds one window of text for each instruction still known to it."""

    name: ClassVar[str]

    @property
    def halted(self) -> bool:
        """Whether no window is left to run."""
        return self.fetch() is None

    @abstractmethod
    def fetch(self) -> WindowT | None:
        """The next window, or None once the memory has halted. Changes nothing."""

    @abstractmethod
    def apply(self, write: WriteT) -> None:
        """Commit what one step wrote. Raises AddressFault or LimitFault, and then nothing has changed."""

    @abstractmethod
    def repeats(self) -> bool:
        """Whether a deterministic model provably never halts from here.

        Asked once before each step; an endless run is found after at most a constant factor of the steps that its
        cycle needs (Brent's method: an anchor that is renewed at powers of two).
        """

    @abstractmethod
    def mark(self) -> Any:
        """A token for the present contents, and for what `repeats` has seen; constant time."""

    @abstractmethod
    def rollback(self, mark: Any) -> None:
        """Return to the moment of `mark`, which must lie on the path that led here.

        From there on all is as if nothing had come after it: contents, limits, and when `repeats` finds a loop.
        """

    @abstractmethod
    def windows(self) -> Sequence[str]:
        """The windows' texts, for people to look at: oldest first."""

    @property
    @abstractmethod
    def pointer(self) -> int:
        """The index in `windows()` of the next one; -1 once halted."""
