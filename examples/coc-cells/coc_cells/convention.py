"""The convention of the cells: the cell that has just run is the first to be overwritten.

The instructions still to run are in the cells up to the pointer. A step in cell p writes its m successors to the cells
p to p + m - 1 in reverse order, and sets the pointer to p + m - 1, where the first of them is. If there are none, it
sets the pointer to p - 1; after cell 0 that is -1, which halts. So there are as many cells as instructions that wait at
one time, and a loop needs one cell.
"""

from collections.abc import Sequence
from typing import Any

from coc_cells.memory import CellWindow, CellWrite
from coc_core.memories import Convention, Layout, ParsedTarget, Target
from coc_core.text import Surface
from coc_core.types import Registers, Step

_WRITE, _REGISTERS = "WRITE[{address}] {instruction}", "PTR={PTR}"


class CellsConvention(Convention[CellWindow, CellWrite]):
    """Prompts and targets with addresses, which grow with the number of cells and not with the length of the run."""

    name = "cells"
    layout = Layout(waiting=lambda _, pointer: range(pointer + 1))  # the cells above hold texts that have run
    defaults = {
        "numeric": Surface("PTR={PTR} INSTR[{PTR}] {instruction}", _WRITE, _REGISTERS),
        "symbolic": Surface("INSTR {instruction}", _WRITE, _REGISTERS),
    }

    def prompt(self, window: CellWindow) -> str:
        return self.surface.prompt.format(PTR=window.ptr, instruction=window.text)

    def expressions(self, target: Target) -> Sequence[str]:
        return [*(write["address"] for write in target.writes), target.registers["PTR"]]

    def registers(self, window: CellWindow) -> Registers:
        return {"PTR": window.ptr}

    def write(self, target: ParsedTarget, window: CellWindow, numbers: Sequence[int]) -> CellWrite:
        *addresses, ptr = numbers
        return CellWrite(tuple(zip(addresses, target.windows, strict=True)), ptr)

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        write = self.domain.instructions.format
        writes = tuple(
            {"address": _cell(offset, registers), "instruction": write(instruction)}
            for offset, instruction in enumerate(reversed(step.then))
        )
        return Target(step.emits, writes, {"PTR": _cell(len(writes) - 1, registers)})


def _cell(offset: int, registers: Registers) -> str:
    """Return the address `offset` cells above this one: a number if the prompt shows the pointer, else an
    expression.
    """
    if registers:
        return str(registers["PTR"] + offset)
    return f"PTR{offset:+}" if offset else "PTR"
