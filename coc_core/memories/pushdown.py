"""Memories that finish what a window leads to before they come to an older window."""

from abc import abstractmethod

from coc_core.memories.memory import Memory, WindowT, WriteT


class Pushdown(Memory[WindowT, WriteT]):
    """A memory without addresses whose next window is always the last one written.

    So the steps from the one that reads a window to the one after which nothing that it led to is left depend on this
    window alone, and all of them together remove it. An executor that knows what they do can skip them.
    """

    @abstractmethod
    def skip(self, steps: int, depth: int, width: int) -> bool:
        """Remove the next window, as the steps that it leads to would do. None of them may be endless.

        `repeats` was called for the first of these steps; loop detection then continues as if it had been called for
        each of them.

        Args:
            steps: The number of steps, at least one.
            depth: The largest number of windows on the way, from the next one up.
            width: The largest number of windows that one of the steps writes.

        Returns:
            Whether it was done. If a limit would be exceeded on the way, nothing has changed.
        """
