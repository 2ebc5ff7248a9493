"""What opens and trains: torch and numpy are imported when used. Without torch, a command ends with one line."""

import ctypes
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

from coc_core.extras import needs_extra
from coc_core.models import Model
from coc_core.setting import Setting


def _entry(module: str, name: str, purpose: str) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        with needs_extra("train", f"{purpose} needs torch"):
            found = import_module(f"coc_transformer.{module}")
        return getattr(found, name)(*arguments)

    return call


def network_opener(network: str) -> Callable[..., Model]:
    """Return the `opener`, for a `ModelSpec`, of checkpoints of a network such as `my_package.gru:Gru`."""
    return partial(_entry("decoding.backend", "open_offered", f"the network {network}"), network)


def network_trainer(network: str) -> Callable[[], Any]:
    """Return the `trainer`, for a `ModelSpec`, of such a network."""
    return lambda: trainer(network)


open_checkpoint = _entry("decoding.backend", "open_checkpoint", "the model backend torch")
open_network = _entry("decoding.backend", "open_network", "the network of this checkpoint")
open_named = _entry("decoding.backend", "open_named", "a network")
trainer = _entry("training.trainer", "TransformerTrainer", "training")


def open_chosen(backend: str, setting: Setting, text: str) -> Model:
    """Return the checkpoint that `torch:TEXT` or `numpy:TEXT` chooses."""
    return setting.checkpoint(text or None, backend)


open_with_torch, open_with_numpy = partial(open_chosen, "torch"), partial(open_chosen, "numpy")

_KEPT = 1 << 28  # bytes


def open_numpy(*arguments: Any) -> Model:
    """Open a checkpoint with numpy, with a single thread unless numpy was imported before."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more are no faster with small matrices, and wait in a loop
    with suppress(AttributeError):  # another C library than glibc
        mallopt = ctypes.CDLL(None).mallopt
        for threshold in (-1, -3):  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD
            mallopt(threshold, _KEPT)  # keep memory for the next arrays: getting it anew takes a third of the time
    found: Model = import_module("coc_transformer.numpy.backend").open_checkpoint(*arguments)
    return found
