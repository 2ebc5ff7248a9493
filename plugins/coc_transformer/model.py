"""The decoder-only transformer of the paper (appendix "Experimental Setup"), in GPT-2's layout.

Pre-normalisation, learned absolute positions, GELU, the output layer tied to the token embedding; the attention's
projections have no biases, the feed-forward layers and LayerNorms do. The paper does not print this last point: it
is what the parameter counts of its table come to.

Shapes are named B (sequences), T (tokens), D (d_model), H (heads), V (vocab).
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from coc_transformer.config import ModelConfig

_INITIAL_STD = 0.02  # as GPT-2


class Cache:
    """The keys and values of the tokens read so far, for B sequences of equal length, room for `max_len` tokens."""

    def __init__(self, config: ModelConfig, sequences: int) -> None:
        shape = (config.layers, 2, sequences, config.heads, config.max_len, config.d_model // config.heads)
        self._store = torch.empty(shape)
        self.length = 0

    @staticmethod
    def floats(config: ModelConfig) -> int:
        """How many numbers one sequence needs."""
        return 2 * config.layers * config.max_len * config.d_model

    def extend(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Store those of new tokens, each (B, H, T, D/H), and give those of all tokens so far.

        The length stays; the model moves it on when every layer has stored its own.
        """
        end = self.length + keys.shape[2]
        stored = self._store[layer, :, :, :, :end]
        stored[0, :, :, self.length :] = keys
        stored[1, :, :, self.length :] = values
        return stored[0], stored[1]

    def keep(self, rows: Tensor) -> None:
        """Go on with these sequences only; `rows` are their indices."""
        self._store = self._store[:, :, rows]


class Attention(nn.Module):
    """Causal multi-head self-attention."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.qkv = nn.Linear(config.d_model, 3 * config.d_model, bias=False)
        self.out = nn.Linear(config.d_model, config.d_model, bias=False)
        self.dropout = config.dropout

    def forward(self, x: Tensor, layer: int, cache: Cache | None) -> Tensor:
        """(B, T, D) -> (B, T, D). Tokens after padding on the right are never looked at, as attention is causal."""
        queries, keys, values = self.qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        if cache is not None:
            keys, values = cache.extend(layer, keys, values)
        new, total = queries.shape[2], keys.shape[2]
        mask = None
        if 1 < new < total:
            mask = torch.ones(new, total, dtype=torch.bool, device=x.device).tril(total - new)
        mixed = functional.scaled_dot_product_attention(
            queries,
            keys,
            values,
            attn_mask=mask,
            dropout_p=self.dropout if self.training else 0.0,
            is_causal=new == total,
        )
        return self.out(mixed.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]


class Block(nn.Module):
    """Attention and feed-forward layer, each behind a LayerNorm and beside a residual connection."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(config.d_model)
        self.attention = Attention(config)
        self.norm2 = nn.LayerNorm(config.d_model)
        self.up = nn.Linear(config.d_model, config.d_ff)
        self.down = nn.Linear(config.d_ff, config.d_model)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, layer: int, cache: Cache | None) -> Tensor:
        """(B, T, D) -> (B, T, D)."""
        x = x + self.dropout(self.attention(self.norm1(x), layer, cache))
        return x + self.dropout(self.down(functional.gelu(self.up(self.norm2(x)))))  # type: ignore[no-any-return]


class Decoder(nn.Module):
    """Token ids in, the logits of each next token out."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.vocab, config.d_model)
        self.positions = nn.Embedding(config.max_len, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.d_model)

    def initialise(self) -> None:
        """Draw the weights from torch's global generator: normal, and smaller where a residual stream is fed."""
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            elif "norm" in name:
                nn.init.ones_(parameter)
            elif name.endswith(("out.weight", "down.weight")):
                nn.init.normal_(parameter, std=_INITIAL_STD / (2 * self.config.layers) ** 0.5)
            else:
                nn.init.normal_(parameter, std=_INITIAL_STD)

    def forward(self, ids: Tensor, cache: Cache | None = None) -> Tensor:
        """(B, T) -> (B, T, V). With a cache, `ids` follow the tokens in it and are added to it."""
        start = cache.length if cache is not None else 0
        where = torch.arange(start, start + ids.shape[1], device=ids.device)
        x = self.dropout(self.tokens(ids) + self.positions(where))
        for layer, block in enumerate(self.blocks):
            x = block(x, layer, cache)
        if cache is not None:
            cache.length += ids.shape[1]
        return functional.linear(self.norm(x), self.tokens.weight)

    def parameter_count(self) -> int:
        """How many parameters there are."""
        return sum(parameter.numel() for parameter in self.parameters())
