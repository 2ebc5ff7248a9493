"""What needs torch, imported when it is used: without torch, its command ends with one line."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from coc_core.extras import needs_extra
from coc_core.models import Model
from coc_core.setting import Setting


def _entry(module: str, name: str, purpose: str, extra: str = "train") -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        with needs_extra(extra, f"{purpose} needs torch"):
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
open_causal = _entry("decoding.backend", "open_causal", "this checkpoint", "transformers")
trainer = _entry("training.trainer", "TransformerTrainer", "training")


def open_chosen(setting: Setting, text: str) -> Model:
    """Return the checkpoint that `torch:TEXT` chooses."""
    return setting.checkpoint(text or None, "torch")
