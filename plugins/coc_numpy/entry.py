"""Where checkpoints are opened: numpy is imported here, with a single thread unless it was imported before."""

import os
from typing import Any

from coc_core.models import Model
from coc_core.setting import Setting


def open_checkpoint(*arguments: Any) -> Model:
    """As `coc_numpy.backend.open_checkpoint`."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more are no faster with small matrices, and wait in a loop
    from coc_numpy import backend

    return backend.open_checkpoint(*arguments)


def open_chosen(setting: Setting, text: str) -> Model:
    """The checkpoint that `numpy:TEXT` chooses."""
    return setting.checkpoint(text or None, "numpy")
