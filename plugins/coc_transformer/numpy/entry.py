"""Where checkpoints are opened: numpy is imported here, with a single thread unless it was imported before."""

import ctypes
import os
from contextlib import suppress
from typing import Any

from coc_core.models import Model
from coc_core.setting import Setting

_KEPT = 1 << 28  # bytes


def open_checkpoint(*arguments: Any) -> Model:
    """Call `coc_transformer.numpy.backend.open_checkpoint`."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more are no faster with small matrices, and wait in a loop
    _keep_memory()
    from coc_transformer.numpy import backend

    return backend.open_checkpoint(*arguments)


def _keep_memory() -> None:
    """Have glibc keep the memory of arrays for the next ones; getting it anew takes a third of the time."""
    with suppress(AttributeError):  # another C library
        mallopt = ctypes.CDLL(None).mallopt
        for threshold in (-1, -3):  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD
            mallopt(threshold, _KEPT)


def open_chosen(setting: Setting, text: str) -> Model:
    """Return the checkpoint that `numpy:TEXT` chooses."""
    return setting.checkpoint(text or None, "numpy")
