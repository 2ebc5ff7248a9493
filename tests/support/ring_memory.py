"""A memory that exists in the tests alone: four places in a ring, written one after the other, again and again."""

from coc_core.errors import LimitFault
from coc_core.memories import Layout, Memory, StackConvention
from coc_core.plugin import MemorySpec, hookimpl

PLACES = 4


class Carousel(Memory):
    """Holds the one window to run, and the last three that ran."""

    name = "carousel"

    def start(self, first):
        return (first,), 0, 0

    def read(self, contents):
        windows, place, _ = contents
        return None if place < 0 else (place, windows[place])

    def write(self, contents, write):
        windows, place, steps = contents
        if len(write) > 1:
            raise LimitFault("one window at a time")
        if not write:
            return windows, -1, steps + 1
        place = (place + 1) % PLACES
        return (*windows[:place], *write, *windows[place + 1 :]), place, steps + 1

    def windows(self, contents):
        return contents[0]

    def key(self, contents):
        return -contents[2], None  # never twice the same


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
