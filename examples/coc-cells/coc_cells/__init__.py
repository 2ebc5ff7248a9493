"""A plugin with one memory, whose cells can be overwritten."""

from coc_core.plugin import MemorySpec, hookimpl


@hookimpl
def coc_memories() -> list[MemorySpec]:
    return [
        MemorySpec(
            "cells",
            factory="coc_cells.memory:Cells",
            convention="coc_cells.convention:CellsConvention",
            summary="cells with addresses, which can be overwritten",
        )
    ]
