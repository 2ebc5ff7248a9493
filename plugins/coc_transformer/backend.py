"""The backend `transformer`: a checkpoint behind the core's model interface."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coc_core.model import Model
from coc_transformer import checkpoint
from coc_transformer.decode import decode
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import TextTokenizer


class Transformer(Model):
    """A trained transformer, decoded greedily on the CPU. `margin` is the smallest lead over all answers so far."""

    name = "transformer"

    def __init__(self, decoder: Decoder, tokenizer: TextTokenizer, label: str) -> None:
        super().__init__()
        self._decoder = decoder.eval()
        self._tokenizer = tokenizer
        self._label = label
        self.margin = float("inf")

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        decoded = decode(self._decoder, self._tokenizer, prompts)
        self.margin = min(self.margin, decoded.margin)
        return decoded.texts

    @property
    def parameters(self) -> int:
        """How many parameters the model has."""
        return self._decoder.parameter_count()

    def describe(self) -> str:
        config = self._decoder.config
        return f"{self.name} {self._label}: {self.parameters:,} parameters (d {config.d_model}, L {config.layers})"


def open_checkpoint(folder: Path, config: dict[str, Any]) -> Transformer:
    """The model in a checkpoint's folder; `config` is what `coc_core.checkpoint.read_config` found beside the identity.

    Raises ArtefactError for whatever is wrong with the folder.
    """
    decoder, tokenizer = checkpoint.load(folder, config)
    return Transformer(decoder, tokenizer, folder.resolve().name)
