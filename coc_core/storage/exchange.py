"""Replacing a file or folder by another one, in one step where the system can do that."""

import errno
import os
from pathlib import Path

from coc_core.storage.files import sync

_HERE = -100  # AT_FDCWD
_EXCHANGE = 2  # RENAME_EXCHANGE
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)


def swap(fresh: Path, target: Path, old: Path) -> None:
    """Put the file or folder `fresh` in the place of `target`; undo it if that fails or is interrupted.

    Args:
        fresh: The new content. What was at `target` ends up there.
        target: The place.
        old: Where it ends up instead, if the system can't exchange two names in one step.

    Raises:
        OSError: The file system refused.
    """
    ours = fresh.lstat()
    try:
        if not target.exists():
            fresh.rename(target)
        elif not _exchange(fresh, target):
            target.rename(old)
            fresh.rename(target)
        sync(target.parent)
    except BaseException:
        if not fresh.exists():
            target.rename(fresh)
        elif not os.path.samestat(fresh.lstat(), ours):
            _exchange(fresh, target)
        if old.exists():
            old.rename(target)
        raise


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two names, so that neither is ever missing; False where the system can't do this."""
    import ctypes  # which takes time, and most commands write nothing

    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)  # glibc has it, and Python does not offer it
    if rename is None:
        return False
    if rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0:
        return True
    if (number := ctypes.get_errno()) in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number))
