"""A Llama of transformers as a network: coc train -d hanoi --network examples/llama.py:Llama --preset small -o llama"""

import attrs
from torch import Tensor, nn
from transformers import LlamaConfig, LlamaForCausalLM


@attrs.frozen
class Config:
    """The hyperparameters, which --set changes."""

    width: int = 64
    layers: int = 2
    heads: int = 2


class Llama(nn.Module):
    """A small causal language model, new; other models of the library go the same way."""

    Config = Config

    def __init__(self, config: Config, vocab: int, max_len: int) -> None:
        super().__init__()
        self.model = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=vocab,
                hidden_size=config.width,
                intermediate_size=2 * config.width,
                num_hidden_layers=config.layers,
                num_attention_heads=config.heads,
                max_position_embeddings=max_len,
            )
        )

    def forward(self, input_ids: Tensor) -> Tensor:
        """Logits: (batch, seq) -> (batch, seq, vocab)."""
        return self.model(input_ids, use_cache=False).logits
