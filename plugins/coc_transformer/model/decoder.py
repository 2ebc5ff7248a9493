"""The decoder-only transformer, from token ids to logits, on one page.

The paper's (appendix "Experimental Setup") is GPT-2's: pre-normalisation, learned positions, GELU, and an output layer
that shares the token embedding's weights. The attention's projections have no biases, the feed-forward layers and
LayerNorms do; the paper does not state this, but its parameter counts do. What goes beyond it is off by default: see
`ModelConfig`. `Decoder.hidden` serves training and drafts; `Reader` reads token by token, with keys and values kept,
and in as few calls of torch as there can be, since a call costs more there than a token's numbers.

Shapes: B sequences, S tokens of each, T tokens so far, H heads of width W, D = H W (`d_model`), V tokens, P planes.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from coc_transformer.files import COUNTERS, ModelConfig, checkpoint
from coc_transformer.model.reader import Folded, Reader
from coc_transformer.network import Network, Undrawn
from coc_transformer.sequences import Lookup, rotated, rotation_table, visible
from coc_transformer.tokenizer import FIELD, ITEM, SEPARATOR_KIND, SYMBOL, TextTokenizer

_INITIAL_STD = 0.02  # as GPT-2


class Augmentation(NamedTuple):
    """What is drawn for each sequence of a batch in training.

    Attributes:
        items: Numbers that are added to the counts of items, (B,).
        digits: The position of each count of digits from 0 on, (B, counts); the last one is that of larger counts.
        score_scales: What the attention scores are multiplied by, (B,).
        score_noise: The standard deviation of what is then added to them, (B,); None if nothing is.
    """

    items: Tensor
    digits: Tensor
    score_scales: Tensor
    score_noise: Tensor | None = None


# ── positions ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def count(input_ids: Tensor, kinds: Tensor) -> Tensor:
    """Return the fields, items, digits and separators so far at each token (`coc_transformer.sequences`), (4, B, S), of
    ids, (B, S), and of the kind of each token of the vocabulary.
    """
    kind = kinds[input_ids]
    separates = kind == SEPARATOR_KIND
    begins_field, begins_item = (kind == FIELD) | separates, kind != SYMBOL
    items, digits = (kind == ITEM).cumsum(1), (kind == SYMBOL).cumsum(1)
    # Subtract what had been counted when the field, or the item, began.
    items = items - torch.where(begins_field, items, 0).cummax(1).values
    digits = digits - torch.where(begins_item, digits, 0).cummax(1).values
    return torch.stack((begins_field.cumsum(1), items, digits, separates.cumsum(1)))


# ── attention and blocks ──────────────────────────────────────────────────────────────────────────────────────────────


class View(NamedTuple):
    """What attention knows besides the hidden states.

    Attributes:
        bias: What is added to scores, (B or 1, 1, S, T): minus infinity where a token can't look. None for none, where
            each looks at itself and all before it.
        rotations: Rows of the rotation table, (B, 1, S, 2 P); None without rotary positions.
        sharpness: What scores are multiplied by, (B or 1, 1, S or 1, 1); None for nothing.
        dropout: The probability of dropping a number.
        noise: The standard deviation of what is added to scores, (B,); None for nothing.
    """

    bias: Tensor | None
    rotations: Tensor | None
    sharpness: Tensor | None
    dropout: float = 0.0
    noise: Tensor | None = None


def attend(queries: Tensor, keys: Tensor, values: Tensor, view: View) -> Tensor:
    """Return softmax(Q K' / sqrt(W)) V, (B, H, S, W): Vaswani et al., "Attention Is All You Need", 2017."""
    bias = view.bias
    if view.sharpness is not None:
        queries = queries * view.sharpness.to(queries.dtype)
    if view.noise is not None:
        bias = _noise(view.noise, queries.shape[1], queries.shape[2], bias)
    bias = None if bias is None else bias.to(queries.dtype)
    causal = bias is None and queries.shape[2] > 1
    return functional.scaled_dot_product_attention(queries, keys, values, bias, view.dropout, causal)


def _noise(deviations: Tensor, heads: int, length: int, bias: Tensor | None) -> Tensor:
    """Return what is added to scores, (B, H, S, S): noise, and minus infinity where a token can't look."""
    if bias is None:
        bias = torch.full((length, length), -torch.inf, device=deviations.device).triu(1)
    noise = torch.randn(len(deviations), heads, length, length, device=deviations.device)
    return noise * deviations[:, None, None, None] + bias


class Block(nn.Module):
    """Attention and a feed-forward layer, each after a LayerNorm and added to the residual stream."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        d_model, d_ff, self.heads = config.d_model, config.d_ff, config.heads
        self.norm1 = nn.LayerNorm(d_model)
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out = nn.Linear(d_model, d_model, bias=False)
        self.norm2 = nn.LayerNorm(d_model)
        self.up = nn.Linear(d_model, d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, x: Tensor, batch: int, view: View, selected: Tensor | None = None) -> Tensor:
        """Return the hidden states after this block, of all tokens, (B S, D), or of those with the `selected` indices,
        which is right for the last block: tokens don't attend to each other after that.
        """
        split = self.qkv(self.norm1(x)).view(batch, -1, 3, self.heads, x.shape[1] // self.heads)
        split = split.permute(2, 0, 3, 1, 4)  # (3, B, H, S, W)
        if view.rotations is not None:
            split = torch.cat((rotated(split[:2], view.rotations, torch.cat), split[2:]))
        queries, keys, values = split.unbind()
        mixed = attend(queries, keys, values, view).transpose(1, 2).reshape(x.shape)
        if selected is not None:
            x, mixed = x[selected], mixed[selected]
        x = x + functional.dropout(self.out(mixed), view.dropout)
        return x + functional.dropout(self.down(functional.gelu(self.up(self.norm2(x)))), view.dropout)

    def folded(self) -> tuple[Any, ...]:
        """Return the parameters as a reader takes them, with matrices as (inputs, outputs)."""
        norm1, norm2 = ((norm.weight, norm.bias) for norm in (self.norm1, self.norm2))
        up, down = ((layer.weight.T, layer.bias) for layer in (self.up, self.down))
        return norm1, self.qkv.weight.T, self.out.weight.T, norm2, *up, *down


# ── the model ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Decoder(Network):
    """The decoder as a network. Structural positions need the kind of each token (`TextTokenizer.kinds`)."""

    config: ModelConfig
    kinds: Tensor | None
    rotation_table: Tensor | None

    def __init__(self, config: ModelConfig, kinds: Sequence[int] | None = None) -> None:
        super().__init__()
        self.config, self.draws, tables = config, bool(config.dropout), config.tables()
        if tables and (kinds is None or len(kinds) != config.vocab):
            raise ValueError(f"{config.positions} positions need the kind of each token")
        self.lookup = Lookup(config, kinds or ())
        self.tokens = nn.Embedding(config.vocab, config.d_model)
        self.positions: nn.Module = (
            nn.ModuleList(nn.Embedding(size, config.d_model) for size in tables.values())
            if tables
            else nn.Embedding(config.max_len, config.d_model)
        )
        # Buffers move with the weights, and these are not part of a checkpoint.
        self.register_buffer("kinds", torch.tensor(kinds, device="cpu") if tables else None, persistent=False)
        rotations = torch.from_numpy(rotation_table(config.rotary)) if config.rotary else None
        self.register_buffer("rotation_table", rotations, persistent=False)
        shifts = range(config.token_shift)
        self.shifts = nn.ModuleList(nn.Linear(config.d_model, config.d_model, bias=False) for _ in shifts)
        self.blocks: Any = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.d_model)

    def initialise(self, *, fan_in: bool = False) -> None:
        """Draw the weights from torch's global generator, smaller where they feed a residual stream. One standard
        deviation serves all matrices, as in GPT-2; or, with `fan_in`, 1/sqrt(inputs) for those of the blocks and of the
        token shift, which gives a narrow model useful attention and features from the start.
        """
        for name, parameter in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            elif "norm" in name:
                nn.init.ones_(parameter)
            else:
                inside = name.startswith(("blocks.", "shifts."))
                std = parameter.shape[1] ** -0.5 if inside and fan_in else _INITIAL_STD
                if name.endswith(("out.weight", "down.weight")):
                    std /= (2 * self.config.layers) ** 0.5
                nn.init.normal_(parameter, std=std)

    def hidden(self, input_ids: Tensor, drawn: Augmentation | None = None, selected: Tensor | None = None) -> Tensor:
        counts = self.counted(input_ids)
        bias = self.bias(counts, input_ids.shape[1])
        if drawn is not None and counts is not None:
            counts[1] += drawn.items[:, None]
            counts[2] = drawn.digits.gather(1, counts[2].clamp(max=drawn.digits.shape[1] - 1))
        sharpness = None if drawn is None else drawn.score_scales[:, None, None, None]
        if self.config.log_scaling:
            numbers = torch.arange(1, 1 + input_ids.shape[1], device=input_ids.device)
            logarithms = numbers.float().log()[None, None, :, None] / 2
            sharpness = logarithms if sharpness is None else logarithms * sharpness
        dropout = self.config.dropout if self.training else 0.0
        view = View(bias, self.rotations(counts), sharpness, dropout, None if drawn is None else drawn.score_noise)
        x = functional.dropout(self.embedded(input_ids, counts), dropout).flatten(0, 1)
        for block in self.blocks:
            x = block(x, len(input_ids), view, selected if block is self.blocks[-1] else None)
        states: Tensor = self.norm(x)
        return states if selected is not None else states.view(*input_ids.shape, -1)

    def counted(self, input_ids: Tensor) -> Tensor | None:
        """Return what `count` does; None for absolute positions."""
        return None if self.kinds is None else count(input_ids, self.kinds)

    def project(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.tokens.weight)

    def embedded(
        self, input_ids: Tensor, counts: Tensor | None, of: Callable[[Tensor], Tensor] = lambda weight: weight
    ) -> Tensor:
        """Return the embeddings of tokens, positions and token shift, (B, S, D), given the counts of the tokens, (4, B,
        S), or None for absolute positions. They are computed with `of` of the weights, such as their absolute values.
        """
        length, reach, tables = input_ids.shape[1], len(self.shifts), list(map(of, self.positions.parameters()))
        x = functional.embedding(input_ids, of(self.tokens.weight))
        if counts is None:
            x = x + tables[0][:length]
        else:
            for table, counter in zip(tables, self.config.tables(), strict=True):
                x = x + functional.embedding(counts[counter].clamp(max=len(table) - 1), table)
        wide = functional.pad(x, (0, 0, reach, 0))
        apart = None
        if counts is not None and self.lookup.digits_apart:
            apart = functional.pad(counts[2] == 0, (reach, 0), value=True)
        for distance, matrix in enumerate(self.shifts.parameters(), start=1):
            before = slice(reach - distance, reach - distance + length)
            preceding = wide[:, before]
            if apart is not None and distance > 1:
                preceding = preceding * (apart[:, reach:] & apart[:, before])[:, :, None]
            x = x + functional.linear(preceding, of(matrix))
        return x

    def bias(self, counts: Tensor | None, length: int) -> Tensor | None:
        """Return what is added to scores, (B or 1, 1, S, S); None if each looks at itself and at all before it."""
        config = self.config
        if counts is None or (config.prompt_attention and config.list_attention):
            return None
        causal = torch.ones(length, length, dtype=torch.bool, device=counts.device).tril()
        looks = visible(config, causal, causal.triu(), counts, counts)
        return torch.zeros(looks.shape, device=looks.device).masked_fill_(~looks, -torch.inf)[:, None]

    def rotations(self, counts: Tensor | None) -> Tensor | None:
        """Return the rotations of each token, (B, 1, S, 2 P); None without rotary positions."""
        if counts is None or self.rotation_table is None:
            return None
        return functional.embedding(counts[1].clamp(max=COUNTERS[1] - 1), self.rotation_table)[:, None]

    def begin(self, rows: Sequence[list[int]]) -> Reader:
        return Reader(self.folded, rows)

    def saved(self) -> Mapping[str, Tensor]:
        return self.state_dict()

    def matrices(self) -> frozenset[str]:
        inner = (name for name, each in self.named_parameters() if each.dim() == 2)
        return frozenset(name for name in inner if name.startswith(("blocks.", "shifts.")))

    @cached_property
    def folded(self) -> Folded:
        """What a reader needs of the weights, as they are when this is first asked for."""
        tokens = self.tokens.weight
        own = torch.cat((torch.zeros_like(tokens[:1]), tokens, *self.positions.parameters()))
        wide = own.to(torch.float32 if own.device.type == "mps" else torch.float64)
        shifted = ((wide @ matrix.T.to(wide.dtype)).to(own.dtype) for matrix in self.shifts.parameters())
        layers = [block.folded() for block in self.blocks]
        norm = self.norm.weight, self.norm.bias
        return Folded(self.lookup, torch.cat((own, *shifted)), layers, norm, tokens.T, self.rotation_table)


# ── checkpoints ───────────────────────────────────────────────────────────────────────────────────────────────────────


def load_decoder(folder: Path, config: dict[str, Any]) -> tuple[Decoder, TextTokenizer]:
    """Return the model and the tokenizer of a checkpoint; arguments and errors as for `checkpoint.load`."""
    stored = checkpoint.load(folder, config)
    return decoder_of(stored), stored.tokenizer


def decoder_of(stored: checkpoint.Stored) -> Decoder:
    """Return the model of a checkpoint that was read, with its weights, not copied."""
    with torch.device("meta"), Undrawn():  # its weights are those that were read
        decoder = Decoder(stored.config, stored.tokenizer.kinds())
    decoder.load_state_dict({name: torch.from_numpy(array) for name, array in stored.tensors.items()}, assign=True)
    return decoder.requires_grad_(False).eval()
