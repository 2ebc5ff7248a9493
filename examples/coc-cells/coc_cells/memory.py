"""The memory: cells with addresses, which can be read and overwritten anywhere, and a pointer."""

from collections.abc import Sequence
from typing import NamedTuple

from attrs import frozen

from coc_cells.persistent import PersistentList
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import HALT, Memory
from coc_core.types import Limits


class CellWindow(NamedTuple):
    """A window in a cell: its address (PTR) and its text."""

    ptr: int
    text: str


@frozen
class CellWrite:
    """What a step does: it writes texts to some cells, then sets PTR, to -1 in order to halt."""

    cells: tuple[tuple[int, str], ...]
    ptr: int


class Contents(NamedTuple):
    """Everything that a step can change."""

    cells: PersistentList
    ptr: int
    size: int
    """The bytes of all texts together."""


Mark = tuple[Contents, Contents | None, int, int]


class Cells(Memory[CellWindow, CellWrite]):
    """Cells with the addresses 0, 1, 2 and so on. A new cell gets the next address; any older one can be overwritten.

    `Limits.stack_depth` limits the number of cells, and `Limits.tape_bytes` the size of their texts. Contents are
    immutable, so a mark is a reference, a rollback is an assignment, and contents that no mark refers to are freed.
    """

    name = "cells"

    def __init__(self, first: str, limits: Limits = Limits()) -> None:
        self._now = Contents(PersistentList().replaced(0, first), 0, len(first.encode()))
        self._limits = limits
        self._anchor: Contents | None = None
        self._calls = 0
        self._renew = 1

    def fetch(self) -> CellWindow | None:
        cells, ptr, _ = self._now
        return None if ptr == HALT else CellWindow(ptr, cells[ptr])

    def apply(self, write: CellWrite) -> None:
        cells, _, size = self._now
        if len(write.cells) > self._limits.windows_per_step:
            raise LimitFault(f"a step wrote {len(write.cells)} cells, the limit is {self._limits.windows_per_step}")
        written = set[int]()
        for address, text in write.cells:
            if address in written:
                raise AddressFault(f"wrote to cell {address} twice in one step", text=text)
            if not 0 <= address <= cells.size:
                raise AddressFault(f"wrote to cell {address}, the next new one is {cells.size}", text=text)
            written.add(address)
            size += len(text.encode())
            if address < cells.size:
                size -= len(cells[address].encode())
            cells = cells.replaced(address, text)
        if not HALT <= write.ptr < cells.size:
            raise AddressFault(f"PTR={write.ptr} has no cell: there are cells 0 to {cells.size - 1}")
        if cells.size > self._limits.stack_depth:
            raise LimitFault(f"there would be {cells.size:,} cells, the limit is {self._limits.stack_depth:,}")
        if size > self._limits.tape_bytes:
            raise LimitFault(f"the cells would hold {size:,} bytes, the limit is {self._limits.tape_bytes:,}")
        self._now = Contents(cells, write.ptr, size)

    def repeats(self) -> bool:
        self._calls += 1
        anchor, now = self._anchor, self._now
        if anchor is not None and now.ptr == anchor.ptr and now.cells == anchor.cells:
            return True
        if self._calls >= self._renew:
            self._anchor = now
            self._renew = 2 * self._calls
        return False

    def mark(self) -> Mark:
        return self._now, self._anchor, self._calls, self._renew

    def rollback(self, mark: Mark) -> None:
        self._now, self._anchor, self._calls, self._renew = mark

    def windows(self) -> Sequence[str]:
        return tuple(self._now.cells)

    @property
    def pointer(self) -> int:
        return self._now.ptr
