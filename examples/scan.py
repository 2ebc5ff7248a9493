"""A selective scan, as in Mamba (Gu and Dao, 2023): what a channel keeps, forgets and tells depends on the token."""

import attrs
import torch
from torch import Tensor, nn
from torch.nn import functional


class Layer(nn.Module):
    """A convolution of two tokens, a scan, and a gate."""

    def __init__(self, width: int, states: int) -> None:
        super().__init__()
        self.norm, self.inner, self.out = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(2 * width, width)
        self.mixed = nn.Parameter(torch.full((2, 2 * width), 0.5))
        self.chosen = nn.Linear(2 * width, 2 * width + 2 * states)
        self.rates = nn.Parameter(torch.arange(1.0, states + 1).log().repeat(2 * width, 1))

    def forward(self, x: Tensor, last: Tensor, kept: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the output, (batch, new, width), and the state: the last input, and what is kept, (batch, inner,
        states).
        """
        inner, gate = self.inner(self.norm(x)).chunk(2, -1)
        read = functional.silu(self.mixed[0] * torch.cat((last, inner[:, :-1]), 1) + self.mixed[1] * inner)
        steps, put, tell = self.chosen(read).split((read.shape[-1], kept.shape[-1], kept.shape[-1]), -1)
        steps, told = functional.softplus(steps)[..., None], []
        forgotten, added = (-steps * self.rates.exp()).exp(), steps * read[..., None] * put[:, :, None]
        for token in range(x.shape[1]):
            kept = forgotten[:, token] * kept + added[:, token]
            told.append((kept * tell[:, token, None]).sum(-1))
        return x + self.out((torch.stack(told, 1) + read) * functional.silu(gate)), inner[:, -1:], kept


class Scan(nn.Module):
    """The network: coc train -d hanoi --network examples/scan.py:Scan -o my-scan"""

    @attrs.frozen
    class Config:
        """What --set changes."""

        width: int = 64
        layers: int = 2
        states: int = 8

    def __init__(self, config: Config, vocab: int, max_len: int) -> None:
        super().__init__()
        self.config, self.tokens, self.norm = config, nn.Embedding(vocab, config.width), nn.LayerNorm(config.width)
        self.layers = nn.ModuleList(Layer(config.width, config.states) for _ in range(config.layers))
        self.project = nn.Linear(config.width, vocab)

    def forward(self, input_ids: Tensor) -> Tensor:
        return self.step(input_ids)[0]

    def step(self, input_ids: Tensor, state: list[tuple[Tensor, Tensor]] | None = None):
        x, wide = self.tokens(input_ids), 2 * self.config.width
        start, after = (x.new_zeros(len(x), 1, wide), x.new_zeros(len(x), wide, self.config.states)), []
        for layer, before in zip(self.layers, state or [start] * len(self.layers), strict=True):
            x, *kept = layer(x, *before)
            after.append(kept)
        return self.norm(x), after
