"""The convention of the cells: the cell that has just run is the first to be written again.

What is still to do lies in the cells below the pointer. A step in cell p writes its m successors into the cells p to
p + m - 1, the first of them last, and goes on with cell p + m - 1. If it has none it goes on with cell p - 1, and
behind cell 0 that is -1, which halts. So there are as many cells as things to do at one time, and a loop needs one.
"""

from collections.abc import Sequence
from typing import Any

from coc_cells.memory import CellWindow, CellWrite
from coc_core.memories import Convention, Layout, ParsedTarget, Target
from coc_core.text import Surface
from coc_core.types import Registers, Step

_WRITE, _REGISTERS = "WRITE[{address}] {instruction}", "PTR={PTR}"


class CellsConvention(Convention[CellWindow, CellWrite]):
    """Addresses in prompts and targets are as large as the number of cells, however long the run is."""

    name = "cells"
    layout = Layout(waiting=lambda _, pointer: range(pointer + 1))  # the cells above hold texts that have run
    defaults = {
        "numeric": Surface("PTR={PTR} INSTR[{PTR}] {instruction}", _WRITE, _REGISTERS),
        "symbolic": Surface("INSTR {instruction}", _WRITE, _REGISTERS),
    }

    def _window(self, instruction: str) -> str:
        return instruction

    def prompt(self, window: CellWindow) -> str:
        return self.surface.prompt.format(PTR=window.ptr, instruction=window.text)

    def expressions(self, target: ParsedTarget, window: CellWindow) -> tuple[Sequence[str], Registers]:
        addresses = [write["address"] for write in target.target.writes]
        return [*addresses, target.target.registers["PTR"]], {"PTR": window.ptr}

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
    """The cell so far above this one: a number where the prompt shows the pointer, else an expression."""
    if registers:
        return str(registers["PTR"] + offset)
    return f"PTR{offset:+}" if offset else "PTR"
