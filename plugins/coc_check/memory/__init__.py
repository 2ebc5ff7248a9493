"""What every memory, with its convention, has to get right."""

from coc_check.memory.subject import MemorySubject

__all__ = ["MemorySubject"]
