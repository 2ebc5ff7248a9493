"""A memory that exists in the tests alone: four places in a ring, written one after the other, again and again."""

from coc_core.errors import LimitFault
from coc_core.memories import Layout, Memory, StackConvention
from coc_core.plugin import MemorySpec, hookimpl

PLACES = 4


class Carousel(Memory):
    """Holds the one window to run, and the last three that ran."""

    name = "carousel"

    def __init__(self, first, limits=None):
        self._now = (first,), 0

    def fetch(self):
        windows, place = self._now
        return None if place < 0 else windows[place]

    def apply(self, write):
        windows, place = self._now
        if len(write) > 1:
            raise LimitFault("one window at a time")
        if not write:
            self._now = windows, -1
            return
        place = (place + 1) % PLACES
        self._now = (*windows[:place], *write, *windows[place + 1 :]), place

    def repeats(self):
        return False

    def mark(self):
        return self._now

    def rollback(self, mark):
        self._now = mark

    def windows(self):
        return self._now[0]

    @property
    def pointer(self):
        return self._now[1]


class Ring(StackConvention):
    """One window waits; the next place is a register."""

    name = "ring"
    layout = Layout(
        registers={"NEXT": lambda _, pointer: (pointer + 1) % PLACES},
        waiting=lambda _, pointer: range(pointer, pointer + 1) if pointer >= 0 else range(0),
    )


class Plain(StackConvention):
    """Says nothing about how it is shown."""

    name = "plain"
    layout = Layout()


@hookimpl
def coc_memories():
    return [
        MemorySpec(
            "carousel", "tests.support.ring_memory:Carousel", "tests.support.ring_memory:Ring", "four places in a ring"
        ),
        MemorySpec(
            "plain",
            "tests.support.ring_memory:Carousel",
            "tests.support.ring_memory:Plain",
            "the same, with nothing said about it",
        ),
    ]
