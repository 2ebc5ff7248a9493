"""Locks on files and folders, which end with the process that has them, however it ends.

They are the system's own: `flock` on a whole file or folder, and a record lock on one byte of a file.
"""

try:
    import fcntl
except ImportError:
    raise ImportError("coc runs on Linux and macOS; on Windows, run it in WSL") from None
from typing import IO


def lock_file(file: IO[bytes] | int, *, shared: bool = False) -> None:
    """Lock an open file or folder until it is closed.

    Args:
        file: The file, or a descriptor.
        shared: Whether others may have such a lock at the same time.

    Raises:
        BlockingIOError: Another process has locked it.
    """
    fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def lock_byte(file: IO[bytes], position: int) -> None:
    """Lock one byte of an open file, together with others who read; BlockingIOError if somebody writes."""
    fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, position)
