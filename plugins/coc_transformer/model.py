"""The decoder-only transformer of the paper (appendix "Experimental Setup"), in GPT-2's layout.

Pre-normalisation, learned absolute positions, GELU, the output layer tied to the token embedding; the attention's
projections have no biases, the feed-forward layers and LayerNorms do. The paper does not print this last point: it
is what the parameter counts of its table come to.

Shapes are named B (sequences), T (tokens), D (d_model), H (heads), V (vocab).
"""

from typing import NamedTuple

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

    def extend(self, layer: int, both: Tensor) -> tuple[Tensor, Tensor]:
        """Store the keys and values of new tokens, (2, B, H, T, D/H), and give those of all tokens so far.

        The length stays; the model moves it on when every layer has stored its own.
        """
        end = self.length + both.shape[3]
        stored = self._store[layer]
        stored[:, :, :, self.length : end] = both
        keys, values = stored[:, :, :, :end].unbind()
        return keys, values

    def keep(self, rows: Tensor) -> None:
        """Go on with these sequences only; `rows` are their indices."""
        self._store = self._store[:, :, rows]


class Layer(NamedTuple):
    """The tensors of one block, so that a step of decoding does not look them up again."""

    norm1: tuple[Tensor, Tensor]
    qkv: Tensor
    out: Tensor
    norm2: tuple[Tensor, Tensor]
    up: tuple[Tensor, Tensor]
    down: tuple[Tensor, Tensor]


class Tensors(NamedTuple):
    """The tensors of a whole model."""

    tokens: Tensor
    positions: Tensor
    layers: tuple[Layer, ...]
    norm: tuple[Tensor, Tensor]


class Block(nn.Module):
    """The parameters of one block: attention and feed-forward layer, each behind a LayerNorm."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        d_model, d_ff = config.d_model, config.d_ff
        self.norm1 = nn.LayerNorm(d_model)
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)
        self.norm2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def tensors(self) -> Layer:
        """The parameters as they are now."""
        return Layer(
            (self.norm1.weight, self.norm1.bias),
            self.qkv.weight,
            self.out.weight,
            (self.norm2.weight, self.norm2.bias),
            (self.up.weight, self.up.bias),
            (self.down.weight, self.down.bias),
        )


class Decoder(nn.Module):
    """Token ids in, the logits of each next token out."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.vocab, config.d_model)
        self.positions = nn.Embedding(config.max_len, config.d_model)
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

    def tensors(self) -> Tensors:
        """The parameters as they are now, for `logits`."""
        layers = tuple(block.tensors() for block in self.blocks if isinstance(block, Block))
        return Tensors(self.tokens.weight, self.positions.weight, layers, (self.norm.weight, self.norm.bias))

    def forward(self, ids: Tensor) -> Tensor:
        """(B, T) -> (B, T, V). Tokens after padding on the right are never looked at, as attention is causal."""
        return logits(self.tensors(), self.config.heads, ids, dropout=self.config.dropout if self.training else 0.0)

    def parameter_count(self) -> int:
        """How many parameters there are."""
        return sum(parameter.numel() for parameter in self.parameters())


def logits(tensors: Tensors, heads: int, ids: Tensor, cache: Cache | None = None, dropout: float = 0.0) -> Tensor:
    """(B, T) -> (B, T, V). With a cache, `ids` follow the tokens in it and are added to it."""
    start = cache.length if cache is not None else 0
    x = functional.embedding(ids, tensors.tokens) + tensors.positions[start : start + ids.shape[1]]
    x = _dropped(x, dropout)
    for number, layer in enumerate(tensors.layers):
        x = x + _dropped(_attention(_normed(x, layer.norm1), layer, number, heads, cache, dropout), dropout)
        hidden = functional.gelu(functional.linear(_normed(x, layer.norm2), *layer.up))
        x = x + _dropped(functional.linear(hidden, *layer.down), dropout)
    if cache is not None:
        cache.length += ids.shape[1]
    return functional.linear(_normed(x, tensors.norm), tensors.tokens)


def _attention(x: Tensor, layer: Layer, number: int, heads: int, cache: Cache | None, dropout: float) -> Tensor:
    """Causal multi-head self-attention, (B, T, D) -> (B, T, D)."""
    sequences, new, width = x.shape
    projected = functional.linear(x, layer.qkv).view(sequences, new, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
    queries, keys, values = projected.unbind()
    if cache is not None:
        keys, values = cache.extend(number, projected[1:])
    total = keys.shape[2]
    mask = None
    if 1 < new < total:
        mask = torch.ones(new, total, dtype=torch.bool, device=x.device).tril(total - new)
    mixed = functional.scaled_dot_product_attention(
        queries, keys, values, attn_mask=mask, dropout_p=dropout, is_causal=new == total
    )
    return functional.linear(mixed.transpose(1, 2).reshape(sequences, new, width), layer.out)


def _normed(x: Tensor, norm: tuple[Tensor, Tensor]) -> Tensor:
    return functional.layer_norm(x, norm[0].shape, *norm)


def _dropped(x: Tensor, probability: float) -> Tensor:
    return functional.dropout(x, probability) if probability else x
