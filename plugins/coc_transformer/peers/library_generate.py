"""`generate` of the library transformers, as the model of a run.

A checkpoint of the paper's architecture becomes the library's own GPT-2. Any other is wrapped as a model of the
library's, which runs coc's forward pass, with its KV cache, in the library's loop.
"""

from pathlib import Path
from typing import Any

import torch

from coc_core.extras import needs_extra
from coc_core.models import Identity
from coc_transformer.gpt2 import layout
from coc_transformer.model import Decoder, KVCache, checkpoint, hidden
from coc_transformer.peers.peer import Peer
from coc_transformer.tokenizer import BOS, EOS, PAD, TextTokenizer


class Generated(Peer):
    """Decoding by the library's loop."""

    name = "transformers generate"

    def __init__(self, model: Any, limit: int, tokenizer: TextTokenizer, dialect: int) -> None:
        super().__init__(limit, tokenizer, dialect)
        self._model = model

    @torch.inference_mode()
    def _generate(self, context: list[int], room: int) -> list[int]:
        ids = torch.tensor([context])
        found = self._model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            do_sample=False,
            max_new_tokens=room,
            bos_token_id=BOS,
            eos_token_id=EOS,
            pad_token_id=PAD,
        )
        target: list[int] = found[0, len(context) :].tolist()
        return target


def open_generated(folder: Path, config: dict[str, Any], identity: Identity, dialect: str) -> Generated:
    """Open a checkpoint to be run by `transformers`.

    Raises:
        UsageError: If that library is not installed.
        ArtefactError: If the checkpoint is broken.
    """
    with needs_extra("bench", "timing transformers needs that library"):
        import transformers
    decoder, tokenizer = checkpoint.load(folder, config)
    model = _wrapped(transformers, decoder) if layout.obstacle(decoder.config) else as_gpt2(transformers, decoder)
    return Generated(model, decoder.config.max_len, tokenizer, identity.dialects.index(dialect))


def as_gpt2(transformers: Any, decoder: Decoder) -> Any:
    """The library's GPT-2 with the weights of a model of that architecture."""
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**layout.settings(decoder.config)))
    model.load_state_dict(
        layout.to_gpt2(decoder.state_dict(), decoder.config), strict=False
    )  # the tied output layer is not stored
    return model.eval()


def _wrapped(transformers: Any, decoder: Decoder) -> Any:
    """The forward pass as a model of the library's, so that its loop decodes with it, one token a pass."""
    tensors, heads = decoder.tensors(), decoder.config.heads
    sizes = {"vocab_size": decoder.config.vocab, "num_hidden_layers": decoder.config.layers}

    class Wrapped(transformers.PreTrainedModel, transformers.GenerationMixin):  # type: ignore[misc]
        config_class = transformers.PretrainedConfig
        main_input_name = "input_ids"

        def __init__(self) -> None:
            super().__init__(transformers.PretrainedConfig(**sizes))
            self.anchor = torch.nn.Parameter(torch.zeros(1))  # the library reads device and dtype off the parameters
            self.read = KVCache(decoder.config, 1)

        def prepare_inputs_for_generation(self, input_ids: torch.Tensor, **kwargs: Any) -> dict[str, Any]:
            if kwargs.get("is_first_iteration"):
                self.read = KVCache(decoder.config, 1)
            return {"input_ids": input_ids[:, self.read.length :]}

        def forward(self, input_ids: torch.Tensor, attention_mask: Any = None, **kwargs: Any) -> Any:
            logits = decoder.project(hidden(tensors, heads, input_ids, self.read)[:, -1:])
            return transformers.modeling_outputs.CausalLMOutput(logits=logits)

    return Wrapped().eval()
