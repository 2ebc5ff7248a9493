"""A GRU as a network of your own: coc train -d hanoi --network examples/gru.py:Gru --preset small -o my-gru"""

import attrs
from torch import Tensor, nn


@attrs.frozen
class Config:
    """The hyperparameters, which --set changes."""

    width: int = 128
    layers: int = 2


class Gru(nn.Module):
    """Embeddings, a gated recurrent unit with residual connections, and an output layer that shares the embeddings."""

    Config = Config

    def __init__(self, config: Config, vocab: int, max_len: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab, config.width)
        nn.init.normal_(self.embedding.weight, std=config.width**-0.5)
        self.layers = nn.ModuleList(nn.GRU(config.width, config.width, batch_first=True) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)

    def forward(self, input_ids: Tensor) -> Tensor:
        """Hidden states: (batch, seq) -> (batch, seq, width)."""
        return self.step(input_ids, None)[0]

    def step(self, input_ids: Tensor, state: tuple[Tensor, ...] | None) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Return the hidden states of the next tokens, (batch, new), and the state: (batch, 1, width) of each layer."""
        x, after = self.embedding(input_ids), []
        for number, layer in enumerate(self.layers):
            before = None if state is None else state[number].transpose(0, 1).contiguous()
            read, last = layer(x, before)
            x = x + read
            after.append(last.transpose(0, 1))
        return self.norm(x), tuple(after)

    def project(self, hidden: Tensor) -> Tensor:
        """Return the logits: (..., width) -> (..., vocab)."""
        return nn.functional.linear(hidden, self.embedding.weight)
