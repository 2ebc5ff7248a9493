"""Reading sequences token by token: the forward pass with few calls of torch, which cost more than a token's numbers.
What positions and masks count is kept as numbers, not as tensors. Sequences of a batch end in the same column, so that
the next token of each goes into one slice; the columns before a shorter one attend to themselves only.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from coc_transformer.counts import NONE, Counts, after
from coc_transformer.files import COUNTERS, ModelConfig
from coc_transformer.model.forward import Tensors
from coc_transformer.model.positions import rotated
from coc_transformer.network import on_device

_MOST_SCORES = 1 << 22
"""Of new tokens for all tokens, in one layer and one head; a longer prompt is read in parts."""


class Folded:
    """Weights as `Reader` needs them, which no longer change. A token's input is a sum of rows of one table: of the
    token, of its position, and of both through each matrix of the token shift. Matrices are (inputs, outputs).
    """

    def __init__(self, config: ModelConfig, tensors: Tensors, kinds: Sequence[int]) -> None:
        self.config, self.kinds, self.output, self.norm = config, kinds, tensors.tokens.T, tensors.norm
        self.rotations, self.counters = tensors.rotation_table, tensors.counters
        own = torch.cat((tensors.tokens, *tensors.positions))
        wide = own.to(torch.float32 if own.device.type == "mps" else torch.float64)
        shifted = ((wide @ matrix.T.to(wide.dtype)).to(own.dtype) for matrix in tensors.shifts)
        self.table = torch.cat((own, *shifted, torch.zeros_like(own[:1])))
        """Ends in a row of zeros, for what does not exist."""
        sizes = [len(table) for table in tensors.positions]
        self.starts = [config.vocab + sum(sizes[:number]) for number in range(len(sizes))]
        self.last, self.rows = [size - 1 for size in sizes], len(own)
        self.layers = [
            (
                layer.norm1,
                layer.qkv.T,
                layer.out.T,
                layer.norm2,
                layer.up[0].T,
                layer.up[1],
                layer.down[0].T,
                layer.down[1],
            )
            for layer in tensors.layers
        ]


class Reader:
    """Sequences read so far, at least one, given their first tokens; there is room for as many as the context has."""

    def __init__(self, weights: Folded, rows: Sequence[Sequence[int]]) -> None:
        config, lengths = weights.config, list(map(len, rows))
        longest = max(lengths)
        columns = longest + config.max_len - min(lengths)
        self._weights, self.length = weights, 0
        self._starts, self._padded = np.array([longest - length for length in lengths]), longest > min(lengths)
        """The column of the first token of each sequence, and whether it is not the first for all."""
        self._counts = np.zeros((len(rows), columns, len(NONE)), np.int32)
        self._past = [list[tuple[Counts, list[int]]]() for _ in rows]
        """The counts of each token and its rows of the table."""
        shape = (2 * config.layers, len(rows), config.heads, columns, config.head_width)
        self._store = torch.empty(shape, device=weights.table.device)
        """Keys and values, one layer after the other."""
        self._numbers = np.empty((len(rows), config.vocab), np.float32)
        self._logits = torch.from_numpy(self._numbers)

    def read(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Read the next tokens of each, as many of all but at first; gives logits, (B, V), until the next call."""
        weights, config, new = self._weights, self._weights.config, max(map(len, rows))
        most = max(1, _MOST_SCORES // (len(rows) * (self.length + new)))
        if new > most:
            for first in range(-new, 0, most):
                last = min(first + most, 0)
                self.read([row[max(first, -len(row)) : last or None] if last > -len(row) else [] for row in rows])
            return self._numbers
        begin, self.length = self.length, self.length + new
        nothing = [len(weights.table) - 1] * ((1 + config.token_shift) * (1 + len(weights.starts)))
        inputs = [bag for index, row in enumerate(rows) for bag in self._inputs(index, row, nothing, new)]
        x = functional.embedding(self._tensor(np.array(inputs)), weights.table).sum(1)
        rotations, (scale, sharpness), mask = self._rotations(new), self._scales(new), self._mask(new)
        stored = self._store.narrow(3, 0, self.length).unbind()
        places = self._store.narrow(3, begin, new).unbind()
        for number, (norm1, qkv, out, norm2, up, up_bias, down, down_bias) in enumerate(weights.layers):
            queries, keys, values = self._projected(_normed(x, norm1).mm(qkv), new, rotations)
            if sharpness is not None:
                queries = queries * sharpness
            places[2 * number].copy_(keys)
            places[2 * number + 1].copy_(values)
            if new > 1 and number == config.layers - 1:  # tokens don't attend to each other after this
                queries, mask, x = queries[:, :, -1:], mask[:, :, -1:], x.view(len(rows), new, -1)[:, -1]
            mixed = functional.scaled_dot_product_attention(
                queries, stored[2 * number], stored[2 * number + 1], mask, scale=scale
            )
            x = torch.addmm(x, (mixed if len(x) == len(rows) else mixed.transpose(1, 2)).reshape(x.shape), out)
            inner = functional.gelu(torch.addmm(up_bias, _normed(x, norm2), up))
            x = torch.addmm(x, inner, down).add_(down_bias)
        self._logits.copy_(_normed(x, weights.norm).mm(weights.output))  # the one place that waits for the device
        return self._numbers

    def keep(self, rows: list[int]) -> None:
        """Drop all sequences but those with the indices `rows`."""
        old, used = self._store, self._store.narrow(3, 0, self.length)
        self._store = old.new_empty((len(old), len(rows), *old.shape[2:]))
        self._store.narrow(3, 0, self.length).copy_(used[:, rows])
        self._starts, self._counts = self._starts[rows], self._counts[rows]
        self._padded = bool(self._starts.any())
        self._past = [self._past[row] for row in rows]
        self._numbers = self._numbers[: len(rows)]
        self._logits = torch.from_numpy(self._numbers)

    def _tensor(self, numbers: Any) -> Tensor:
        return on_device(numbers, self._store.device)

    def _inputs(self, index: int, row: Sequence[int], nothing: list[int], new: int) -> Iterator[list[int]]:
        """Yield the rows of the table whose sum is a new token's input, which the past then has, for each of them."""
        weights, past = self._weights, self._past[index]
        yield from (nothing for _ in range(new - len(row)))
        for column, token in enumerate(row, start=self.length - len(row)):
            counts = after(past[-1][0] if past else NONE, weights.kinds[token]) if weights.counters else NONE
            places = [counts[counter] for counter in weights.counters] or [len(past)]
            bag = own = [token, *map(sum, zip(weights.starts, map(min, places, weights.last), strict=True))]
            for distance in range(1, 1 + weights.config.token_shift):
                if distance > len(past) or (distance > 1 and self._apart(counts, past[-distance][0])):
                    bag = bag + nothing[: len(own)]
                else:
                    bag = bag + [place + distance * weights.rows for place in past[-distance][1]]
            past.append((counts, own))
            self._counts[index, column] = counts
            yield bag

    def _apart(self, *both: Counts) -> bool:
        """Return whether two tokens that are not next to each other don't mix, since one is a digit."""
        counters = self._weights.counters
        return bool(counters) and 1 not in counters and any(digits for _, _, digits, _ in both)

    def _projected(self, projected: Tensor, new: int, rotations: Tensor | None) -> Sequence[Tensor]:
        """Queries, keys and values, each (B, H, new, W)."""
        rows, heads = self._store.shape[1:3]
        if new == 1:
            split = projected.view(rows, 3, heads, 1, -1)
        else:
            split = projected.view(rows, new, 3, heads, -1).permute(0, 2, 3, 1, 4)
        if rotations is not None:
            split = torch.cat((rotated(split[:, :2], rotations), split[:, 2:]), 1)
        return split.unbind(1)

    def _rotations(self, new: int) -> Tensor | None:
        """Return those of queries and keys, (B, 1, 1, new, 2 planes)."""
        if self._weights.rotations is None:
            return None
        items = np.minimum(self._counts[:, None, None, self.length - new : self.length, 1], COUNTERS[1] - 1)
        return functional.embedding(self._tensor(items), self._weights.rotations)

    def _scales(self, new: int) -> tuple[float | None, Tensor | None]:
        """Return the scale of scores, and what queries are multiplied by: half the logarithm of a token's number."""
        config = self._weights.config
        if not config.log_scaling:
            return None, None
        if new == 1 and not self._padded:
            return math.log(self.length) / 2 / math.sqrt(config.head_width), None
        numbers = np.arange(self.length - new + 1, self.length + 1) - self._starts[:, None]
        return None, self._tensor(np.log(np.maximum(numbers, 1), dtype=np.float32)[:, None, :, None] / 2)

    def _mask(self, new: int) -> Any:
        """Return which columns new tokens look at, (B, 1, new, total); None for one token that looks at all."""
        config, starts, total, counts = self._weights.config, self._starts, self.length, self._counts
        own = counts[:, total - new : total]
        if new == 1 and config.list_attention and not self._padded and (config.prompt_attention or own[:, 0, 3].all()):
            return None
        columns = np.arange(total)
        rows = columns[total - new :, None]
        seen = (columns <= rows) & (columns >= starts[:, None, None])
        in_target = own[:, :, 3, None] > 0
        if not config.prompt_attention:
            seen &= in_target
        if not config.list_attention:
            fields, items, digits, _ = counts[:, None, :total].transpose(3, 0, 1, 2)
            seen &= ~(in_target & (items > 0) & (digits == 0) & (fields == own[:, :, 0, None]))
        return self._tensor((seen | (columns == rows))[:, None])


def _normed(x: Tensor, norm: tuple[Tensor, Tensor]) -> Tensor:
    return functional.layer_norm(x, norm[0].shape, *norm)
