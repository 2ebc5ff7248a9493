"""What every memory, with its convention, has to get right."""

from coc_core.testing.memory.subject import MemorySubject

__all__ = ["MemorySubject"]
