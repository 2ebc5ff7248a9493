"""The memory: cells with addresses, which can be read and overwritten anywhere, and a pointer."""

from collections.abc import Sequence
from typing import NamedTuple

from attrs import frozen

from coc_cells.persistent import PersistentList
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import HALT, Memory


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
    """What the cells hold."""

    cells: PersistentList
    ptr: int
    size: int
    """The bytes of all texts together."""


class Cells(Memory[Contents, CellWindow, CellWrite]):
    """Cells with the addresses 0, 1, 2 and so on. A new cell gets the next address; any older one can be overwritten.

    `Limits.stack_depth` limits the number of cells, and `Limits.tape_bytes` the size of their texts.
    """

    name = "cells"

    def start(self, first: str) -> Contents:
        return Contents(PersistentList().replaced(0, first), 0, len(first.encode()))

    def read(self, contents: Contents) -> tuple[int, CellWindow] | None:
        cells, ptr, _ = contents
        return None if ptr == HALT else (ptr, CellWindow(ptr, cells[ptr]))

    def write(self, contents: Contents, write: CellWrite) -> Contents:
        cells, _, size = contents
        limits, written = self.limits, set[int]()
        if len(write.cells) > limits.windows_per_step:
            raise LimitFault(f"a step wrote {len(write.cells)} cells, the limit is {limits.windows_per_step}")
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
        if cells.size > limits.stack_depth:
            raise LimitFault(f"there would be {cells.size:,} cells, the limit is {limits.stack_depth:,}")
        if size > limits.tape_bytes:
            raise LimitFault(f"the cells would hold {size:,} bytes, the limit is {limits.tape_bytes:,}")
        return Contents(cells, write.ptr, size)

    def windows(self, contents: Contents) -> Sequence[str]:
        return tuple(contents.cells)

    def key(self, contents: Contents) -> tuple[int, tuple[int, PersistentList]]:
        return -1, (contents.ptr, contents.cells)
