"""A stack beside a heap of records, of which a prompt shows one. So prompts need not grow with the problem."""

from coc_core.plugin import MemorySpec, hookimpl


@hookimpl
def coc_memories() -> list[MemorySpec]:
    return [
        MemorySpec(
            "heap",
            factory="coc_programs.heap.memory:Heap",
            convention="coc_programs.heap.convention:HeapConvention",
            summary="a stack, and records that the policy reads one at a time",
        )
    ]
