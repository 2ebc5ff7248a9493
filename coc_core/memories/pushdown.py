"""Memories that finish what a window leads to before they come to an older window."""

from coc_core.memories.memory import ContentsT, Memory, WindowT


class Pushdown(Memory[ContentsT, WindowT, tuple[str, ...]]):
    """A memory without addresses whose next window is always the last one written; to write nothing removes it.

    So the steps from the one that reads a window to the one after which nothing that it led to is left depend on this
    window alone, and all of them together write nothing in its place. An executor that knows what they do can skip
    them.
    """
