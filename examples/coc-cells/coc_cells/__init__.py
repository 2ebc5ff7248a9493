"""A memory of cells that are written again and again, as a plugin."""

from coc_core.plugin import MemorySpec, hookimpl


@hookimpl
def coc_memories() -> list[MemorySpec]:
    return [
        MemorySpec(
            "cells",
            factory="coc_cells.memory:Cells",
            convention="coc_cells.convention:CellsConvention",
            summary="cells with addresses, written again and again",
        )
    ]
