"""What needs torch, imported when it is used: without torch, its command ends with one line."""

from collections.abc import Callable
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


open_checkpoint = _entry("decoding.backend", "open_checkpoint", "the model backend torch")
trainer = _entry("training.trainer", "TransformerTrainer", "training")
open_generated = _entry("peers", "open_generated", "timing transformers", "bench")
open_translated = _entry("peers", "open_translated", "timing CTranslate2", "bench")


def open_chosen(setting: Setting, text: str) -> Model:
    """The checkpoint that `torch:TEXT` chooses."""
    return setting.checkpoint(text or None, "torch")
