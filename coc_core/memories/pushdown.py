"""Memories that finish what a window leads to before they come to an older window."""

from coc_core.domain import with_result
from coc_core.errors import AddressFault
from coc_core.memories.memory import ContentsT, Memory, WindowT


class Returned(str):
    """What a step writes if it has a result: the text of that, for the window that waits."""

    __slots__ = ()


def with_returned(window: str, result: str) -> str:
    """The text of a window that has got its result.

    Raises:
        AddressFault: It waits for none.
    """
    filled = with_result(window, result)
    if filled is None:
        raise AddressFault("a result is returned, and the window below does not wait for one", text=window)
    return filled


class Pushdown(Memory[ContentsT, WindowT, tuple[str, ...]]):
    """A memory without addresses whose next window is always the last one written; to write nothing removes it.

    So the steps from the one that reads a window to the one after which nothing that it led to is left depend on this
    window alone, and all of them together write nothing in its place. An executor that knows what they do can skip
    them.
    """
