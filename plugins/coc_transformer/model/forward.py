"""The forward pass of the decoder, as a function of its tensors."""

from contextlib import nullcontext
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from coc_transformer.files import COUNTERS
from coc_transformer.model.positions import count, rotated


def attend(queries: Tensor, keys: Tensor, values: Tensor, dropout: float, mask: Tensor | None = None) -> Tensor:
    """Causal attention without its output layer: queries, keys and values are (batch, heads, seq, head_width).

    Autocast to bfloat16 on a CPU is suspended here: the backward pass of torch's kernel takes three times as long in
    bfloat16 as in float32 there, which would cost more than the faster products around it save. The mask is of bool, or
    what is added to the scores, broadcast to (batch, heads, seq, seq); None for all keys up to the query's own token.
    """
    exempt = queries.device.type == "cpu" and torch.is_autocast_enabled("cpu")
    if exempt:
        queries, keys, values = queries.float(), keys.float(), values.float()
    if mask is not None and mask.is_floating_point():
        mask = mask.to(queries.dtype)
    with torch.autocast("cpu", enabled=False) if exempt else nullcontext():
        return functional.scaled_dot_product_attention(
            queries, keys, values, attn_mask=mask, dropout_p=dropout, is_causal=mask is None and queries.shape[2] > 1
        )


class Layer(NamedTuple):
    """The tensors of one block, so that a decoding step need not look them up again."""

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
    counters: tuple[int, ...]
    kinds: Tensor | None
    rotation_table: Tensor | None
    prompt_attention: bool
    list_attention: bool
    log_scaling: bool
    shifts: tuple[Tensor, ...]
    layers: tuple[Layer, ...]
    norm: tuple[Tensor, Tensor]


class Augmentation(NamedTuple):
    """What is drawn for each sequence of a batch in training.

    Attributes:
        items: Numbers that are added to the counts of items, (batch,).
        digits: The position of each count of digits from 0 on, (batch, counts); the last one is that of larger counts.
        score_scales: What the attention scores are multiplied by, (batch,).
        score_noise: The standard deviation of what is then added to them, (batch,); None if nothing is.
    """

    items: Tensor
    digits: Tensor
    score_scales: Tensor
    score_noise: Tensor | None = None

    def put(self, counts: Tensor) -> None:
        """Replace the counts of fields, items, digits and separators, (4, batch, seq), by positions."""
        counts[1] += self.items[:, None]
        counts[2] = self.digits.gather(1, counts[2].clamp(max=self.digits.shape[1] - 1))


def hidden(
    tensors: Tensors,
    heads: int,
    input_ids: Tensor,
    dropout: float = 0.0,
    drawn: Augmentation | None = None,
    selected: Tensor | None = None,
) -> Tensor:
    """Do as `Decoder.hidden`."""
    counts = None if tensors.kinds is None else count(input_ids, tensors.kinds)
    allowed = None if counts is None else _allowed(tensors, counts)
    x, rotations = _embedded(tensors, input_ids, counts, drawn)
    sharpness = _sharpness(tensors, input_ids, drawn)
    deviations = None if drawn is None else drawn.score_noise
    x = _dropped(x, dropout)
    for number, layer in enumerate(tensors.layers):
        mask = allowed if deviations is None else _noise(deviations, heads, input_ids.shape[1], allowed)
        mixed = _attention(_normed(x, layer.norm1), layer, heads, dropout, rotations, sharpness, mask)
        if selected is not None and number == len(tensors.layers) - 1:  # tokens don't attend to each other after this
            x, mixed = x.flatten(0, 1)[selected], mixed.flatten(0, 1)[selected]
        x = x + _dropped(functional.linear(mixed, layer.out), dropout)
        inner = functional.gelu(functional.linear(_normed(x, layer.norm2), *layer.up))
        x = x + _dropped(functional.linear(inner, *layer.down), dropout)
    return _normed(x, tensors.norm)


class Prepared(NamedTuple):
    """What the first block gets: the embeddings, (batch, seq, d_model); the same of absolute values, `sizes`, to which
    rounding is in proportion; the mask of attention, as `_allowed` gives it; and the rotations, as in `_embedded`.
    """

    embedded: Tensor
    sizes: Tensor
    allowed: Tensor | None
    rotations: Tensor | None


def prepare(tensors: Tensors, input_ids: Tensor) -> Prepared:
    """Everything before the first block, which the analysis of rounding begins with."""
    absolute = tensors._replace(
        tokens=tensors.tokens.abs(),
        positions=tuple(table.abs() for table in tensors.positions),
        shifts=tuple(matrix.abs() for matrix in tensors.shifts),
    )
    counts = None if tensors.kinds is None else count(input_ids, tensors.kinds)
    embedded, rotations = _embedded(tensors, input_ids, counts, None)
    sizes, _ = _embedded(absolute, input_ids, counts, None)
    return Prepared(embedded, sizes, None if counts is None else _allowed(tensors, counts), rotations)


def _allowed(tensors: Tensors, counts: Tensor) -> Tensor | None:
    """Return which tokens each looks at, (batch, 1, seq, seq) of bool; None if at itself and at all before it."""
    if tensors.prompt_attention and tensors.list_attention:
        return None
    fields, items, digits, separators = counts
    total = fields.shape[1]
    causal = torch.ones(total, total, dtype=torch.bool, device=counts.device).tril()
    in_target = separators[:, :, None] > 0
    unseen = torch.zeros_like(in_target) if tensors.prompt_attention else ~in_target
    if not tensors.list_attention:
        is_item = (items > 0) & (digits == 0)
        same_list = is_item[:, None] & (fields[:, :, None] == fields[:, None])
        unseen = unseen | (in_target & same_list)
    return (causal & (~unseen | causal.triu()))[:, None]


def _embedded(
    tensors: Tensors, input_ids: Tensor, counts: Tensor | None, drawn: Augmentation | None
) -> tuple[Tensor, Tensor | None]:
    """Return the embeddings of tokens, positions and token shift, (batch, seq, d_model), and the rotations, (batch, 1,
    seq, 2 * rotary), or None without rotary positions.
    """
    x, rotations, length = functional.embedding(input_ids, tensors.tokens), None, input_ids.shape[1]
    if counts is None:
        x = x + tensors.positions[0][:length]
    else:
        if drawn is not None:
            drawn.put(counts)
        for table, counter in zip(tensors.positions, tensors.counters, strict=True):
            x = x + functional.embedding(counts[counter].clamp(max=len(table) - 1), table)
        if tensors.rotation_table is not None:
            items = counts[1].clamp(max=COUNTERS[1] - 1)
            rotations = functional.embedding(items, tensors.rotation_table)[:, None]
    if tensors.shifts:
        reach = len(tensors.shifts)
        wide = functional.pad(x, (0, 0, reach, 0))
        apart = _apart_from_numbers(tensors, counts, reach)
        for distance, matrix in enumerate(tensors.shifts, start=1):
            preceding = wide[:, reach - distance : reach - distance + length]
            if apart is not None and distance > 1:
                both = apart[:, reach:] & apart[:, reach - distance : reach - distance + length]
                preceding = preceding * both[:, :, None]
            x = x + functional.linear(preceding, matrix)
    return x, rotations


def _apart_from_numbers(tensors: Tensors, counts: Tensor | None, reach: int) -> Tensor | None:
    """Return which tokens are no digits, after `reach` that don't exist, (batch, reach + seq); None if it doesn't
    matter. By fields, digits mix with their neighbours only: longer numbers would else have runs of digits never seen
    in training.
    """
    if counts is None or 1 in tensors.counters or reach < 2:
        return None
    return functional.pad(counts[2] == 0, (reach, 0), value=True)


def _sharpness(tensors: Tensors, input_ids: Tensor, drawn: Augmentation | None) -> Tensor | None:
    """Return what queries are multiplied by, (batch or 1, 1, seq or 1, 1)."""
    scales = None if drawn is None else drawn.score_scales[:, None, None, None]
    if not tensors.log_scaling:
        return scales
    numbers = torch.arange(1, 1 + input_ids.shape[1], device=input_ids.device)
    sharpness = numbers.float().log()[None, None, :, None] / 2
    return sharpness if scales is None else sharpness * scales


def _noise(deviations: Tensor, heads: int, length: int, allowed: Tensor | None) -> Tensor:
    """Return what is added to attention scores, (batch, heads, seq, seq): noise of each sequence's deviation, (batch,),
    and minus infinity where a token can't look (`_allowed`).
    """
    if allowed is None:
        allowed = torch.ones(length, length, dtype=torch.bool, device=deviations.device).tril()
    noise = torch.randn(len(deviations), heads, length, length, device=deviations.device)
    return (noise * deviations[:, None, None, None]).masked_fill_(~allowed, -torch.inf)


def _attention(
    x: Tensor,
    layer: Layer,
    heads: int,
    dropout: float,
    rotations: Tensor | None,
    sharpness: Tensor | None,
    allowed: Tensor | None,
) -> Tensor:
    """Causal multi-head self-attention without its output layer: (batch, seq, d_model) to (batch, seq, attention)."""
    projected = functional.linear(x, layer.qkv).view(*x.shape[:2], 3, heads, -1).permute(2, 0, 3, 1, 4)
    if rotations is not None:
        projected = torch.cat((rotated(projected[:2], rotations), projected[2:]))
    queries, keys, values = projected.unbind()
    if sharpness is not None:
        queries = queries * sharpness.to(queries.dtype)
    mixed = attend(queries, keys, values, dropout, allowed)
    return mixed.transpose(1, 2).flatten(2)


def _normed(x: Tensor, norm: tuple[Tensor, Tensor]) -> Tensor:
    return functional.layer_norm(x, norm[0].shape, *norm)


def _dropped(x: Tensor, probability: float) -> Tensor:
    return functional.dropout(x, probability) if probability else x
