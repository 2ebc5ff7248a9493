"""The decoder-only transformer of the paper (appendix "Experimental Setup"), in GPT-2's layout.

Pre-normalisation, learned positions, GELU, the output layer tied to the token embedding; the attention's
projections have no biases, the feed-forward layers and LayerNorms do. The paper does not print this last point: it
is what the parameter counts of its table come to. Three things go beyond the paper, and are off in its presets:
structural positions, the shift, which mixes the tokens in front into a token before the first block, and rotary
queries and keys (`coc_transformer.model.rotary`).

Shapes are named B (sequences), T (tokens), D (d_model), H (heads), V (vocab).
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from coc_transformer.model.attention import attend
from coc_transformer.model.config import ModelConfig
from coc_transformer.model.kv_cache import KVCache
from coc_transformer.model.positions import COUNTERS, counts, ends
from coc_transformer.model.rotary import angles, rotated

_INITIAL_STD = 0.02  # as GPT-2


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
    positions: tuple[Tensor, ...]
    kinds: Tensor | None
    angles: Tensor | None
    list_end_rotary: bool
    shifts: tuple[Tensor, ...]
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
    """Token ids in, the logits of each next token out.

    With structural positions the kind of each id has to be known, (V,) numbers (`TextTokenizer.kinds`).
    """

    kinds: Tensor | None
    angles: Tensor | None

    def __init__(self, config: ModelConfig, kinds: Sequence[int] | None = None) -> None:
        super().__init__()
        self.config = config
        self.tokens = _embedding(config.vocab, config.d_model)
        if config.positions == "structural":
            if kinds is None or len(kinds) != config.vocab:
                raise ValueError("structural positions need the kind of each token")
            told: Tensor | None = torch.tensor(kinds, device="cpu")
            self.positions: nn.Module = nn.ModuleList(_embedding(size, config.d_model) for size in COUNTERS)
        else:
            told = None
            self.positions = _embedding(config.max_len, config.d_model)
        # Buffers go where the weights go, and these are no part of a checkpoint.
        self.register_buffer("kinds", told, persistent=False)
        self.register_buffer("angles", angles(config.rotary) if config.rotary else None, persistent=False)
        self.shifts = nn.ModuleList(
            nn.Linear(config.d_model, config.d_model, bias=False) for _ in range(config.token_shift)
        )
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.d_model)

    def initialise(self, scheme: str = "gpt2") -> None:
        """Draw the weights from torch's global generator, smaller where a residual stream is fed.

        `gpt2` takes one standard deviation for all, `fan-in` one of 1/sqrt(inputs) for the matrices of the blocks and
        of the shift, which gives a narrow model attention and features to begin with.
        """
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            elif "norm" in name:
                nn.init.ones_(parameter)
            else:
                inside = name.startswith(("blocks.", "shifts."))
                std = parameter.shape[1] ** -0.5 if inside and scheme == "fan-in" else _INITIAL_STD
                if name.endswith(("out.weight", "down.weight")):
                    std /= (2 * self.config.layers) ** 0.5
                nn.init.normal_(parameter, std=std)

    def tensors(self) -> Tensors:
        """The parameters as they are now, for `logits`."""
        return Tensors(
            self.tokens.weight,
            tuple(self.positions.parameters()),
            self.kinds,
            self.angles,
            self.config.list_end_rotary,
            tuple(self.shifts.parameters()),
            tuple(block.tensors() for block in self.blocks if isinstance(block, Block)),
            (self.norm.weight, self.norm.bias),
        )

    def hidden(self, ids: Tensor, offsets: Tensor | None = None, places: Tensor | None = None) -> Tensor:
        """(B, T) -> (B, T, D), what `project` makes the logits of.

        With `places`, (B, T) truths, (N, D) at those places only, which costs less. Tokens after padding on the right
        are never looked at, as attention is causal. `offsets`, (2, B), are added to the item and digit counts of
        structural positions: drawn anew for each sequence in training, they make all counts alike, so that a number
        or list longer than any that was seen has counts that were.
        """
        dropout = self.config.dropout if self.training else 0.0
        return hidden(self.tensors(), self.config.heads, ids, None, dropout, offsets, places)

    def project(self, x: Tensor) -> Tensor:
        """(..., D) -> (..., V): the logits."""
        return functional.linear(x, self.tokens.weight)

    def forward(self, ids: Tensor) -> Tensor:
        """(B, T) -> (B, T, V)."""
        return self.project(self.hidden(ids))

    @property
    def device(self) -> torch.device:
        """Where the model computes."""
        return self.tokens.weight.device

    def parameter_count(self) -> int:
        """How many parameters there are."""
        return sum(parameter.numel() for parameter in self.parameters())


def _embedding(rows: int, width: int) -> nn.Embedding:
    """A table whose weights are drawn, unless it is on the meta device.

    There is nothing to draw there, and torch would import its compiler to find that out, which takes over a second.
    """
    if torch.get_default_device().type == "meta":
        return nn.Embedding(rows, width, _weight=torch.empty(rows, width))
    return nn.Embedding(rows, width)


def hidden(
    tensors: Tensors,
    heads: int,
    ids: Tensor,
    cache: KVCache | None = None,
    dropout: float = 0.0,
    offsets: Tensor | None = None,
    places: Tensor | None = None,
) -> Tensor:
    """(B, T) -> (B, T, D): what `Decoder.project` makes the logits of.

    With a cache, `ids` follow the tokens in it and are added to it. With `places`, (B, T) truths, (N, D) at those only.
    """
    x, rotation = _embedded(tensors, ids, cache, offsets)
    x = _dropped(x, dropout)
    for number, layer in enumerate(tensors.layers):
        mixed = _attention(_normed(x, layer.norm1), layer, number, heads, cache, dropout, rotation)
        if places is not None and number == len(tensors.layers) - 1:  # from here on, tokens don't meet any more
            x, mixed = x[places], mixed[places]
        x = x + _dropped(functional.linear(mixed, layer.out), dropout)
        inner = functional.gelu(functional.linear(_normed(x, layer.norm2), *layer.up))
        x = x + _dropped(functional.linear(inner, *layer.down), dropout)
    if cache is not None:
        cache.length += ids.shape[1]
    return _normed(x, tensors.norm)


def _embedded(
    tensors: Tensors, ids: Tensor, cache: KVCache | None, offsets: Tensor | None
) -> tuple[Tensor, Tensor | None]:
    """(B, T) -> (B, T, D): tokens and positions, and what the shift brings from the tokens in front.

    The second is by how much each token's query and key turn, (B, 1, T, 2 * rotary) or with `list_end_rotary` two such, None
    if they don't.
    """
    x, rotation = functional.embedding(ids, tensors.tokens), None
    if tensors.kinds is None:
        start = cache.length if cache is not None else 0
        x = x + tensors.positions[0][start : start + ids.shape[1]]
    else:
        if cache is None:
            counted = functional.pad(counts(ids, tensors.kinds), (1, 0))
        else:
            counted = cache.count(ids, tensors.kinds)
        further = ends(counted) if tensors.list_end_rotary else None
        told = counted[:, :, 1:]
        if offsets is not None:
            told[1:] += offsets[:, :, None]
        places = [count.clamp(max=size - 1) for count, size in zip(told.unbind(), COUNTERS, strict=True)]
        for table, place in zip(tensors.positions, places, strict=True):
            x = x + functional.embedding(place, table)
        if tensors.angles is not None:
            at = places[1]
            if further is not None:
                at = torch.stack((at, (at + further).clamp(max=COUNTERS[1] - 1)))
            rotation = functional.embedding(at, tensors.angles).unsqueeze(-3)
    if tensors.shifts:
        reach, length = len(tensors.shifts), ids.shape[1]
        wide = functional.pad(x, (0, 0, reach, 0)) if cache is None else cache.precede(x, reach)
        for distance, matrix in enumerate(tensors.shifts, start=1):
            x = x + functional.linear(wide[:, reach - distance : reach - distance + length], matrix)
    return x, rotation


def _attention(
    x: Tensor, layer: Layer, number: int, heads: int, cache: KVCache | None, dropout: float, rotation: Tensor | None
) -> Tensor:
    """Causal multi-head self-attention up to its output layer, (B, T, D) -> (B, T, D)."""
    sequences, new, width = x.shape
    projected = functional.linear(x, layer.qkv).view(sequences, new, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
    if rotation is not None:
        projected = torch.cat((rotated(projected[:2], rotation), projected[2:]))
    queries, keys, values = projected.unbind()
    if cache is not None:
        keys, values = cache.extend(number, projected[1:])
    mixed = attend(queries, keys, values, dropout)
    return mixed.transpose(1, 2).reshape(sequences, new, width)


def _normed(x: Tensor, norm: tuple[Tensor, Tensor]) -> Tensor:
    return functional.layer_norm(x, norm[0].shape, *norm)


def _dropped(x: Tensor, probability: float) -> Tensor:
    return functional.dropout(x, probability) if probability else x
