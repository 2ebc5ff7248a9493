"""Reading sequences token by token: the decoder with a cache, in few calls of torch, each of which costs more than a
token's numbers. The input of a token is a sum of rows of one table (`coc_transformer.sequences`).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from coc_transformer.files import COUNTERS
from coc_transformer.network import on_device
from coc_transformer.sequences import ITEMS, Lookup, Sequences, rotated

_MOST_SCORES = 1 << 22
"""Of new tokens for all tokens, in one layer and one head; a longer prompt is read in parts."""


class Folded(NamedTuple):
    """Weights as a reader needs them: the table of `Lookup`; the tensors of each layer, the last LayerNorm and the
    output layer, with matrices as (inputs, outputs); and the rotation table.
    """

    lookup: Lookup
    table: Tensor
    layers: Sequence[tuple[Any, ...]]
    norm: tuple[Tensor, Tensor]
    output: Tensor
    rotations: Tensor | None


class Reader:
    """Sequences that are read token by token: their keys and values so far, (2 layers, B, H, columns, W)."""

    def __init__(self, folded: Folded, rows: Sequence[Sequence[int]]) -> None:
        config = folded.lookup.config
        self._folded, self._heads, self._scale = folded, config.heads, config.head_width**-0.5
        self._sequences = Sequences(folded.lookup, rows, config.max_len - min(map(len, rows)))
        shape = (2 * config.layers, len(rows), config.heads, self._sequences.columns, config.head_width)
        self._store = torch.empty(shape, device=folded.table.device)
        self._numbers = np.empty((len(rows), config.vocab), np.float32)

    @property
    def length(self) -> int:
        return self._sequences.length

    def read(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Read the next tokens of each, as many of all but at first; gives logits, (B, V), until the next call."""
        new = self._sequences.add(rows)
        most = max(1, _MOST_SCORES // (len(rows) * new.stop))
        for start in range(new.start, new.stop, most):
            hidden = self._run(range(start, min(start + most, new.stop)))
        torch.from_numpy(self._numbers).copy_(hidden.mm(self._folded.output))  # the one place that waits for the device
        return self._numbers

    def keep(self, rows: list[int]) -> None:
        """Drop all sequences but those with the indices `rows`."""
        old, used = self._store, self._store[..., : self.length, :]
        self._store = old.new_empty((len(old), len(rows), *old.shape[2:]))
        self._store[..., : self.length, :] = used[:, rows]
        self._sequences.keep(rows)
        self._numbers = self._numbers[: len(rows)]

    def _run(self, columns: range) -> Tensor:
        """Return the hidden states of the last of these columns, (B, D), as `Decoder.hidden` does."""
        folded, sequences, batch, new = self._folded, self._sequences, len(self._numbers), len(columns)
        bags, bias, sharpness = sequences.bags(columns), sequences.bias(columns), sequences.sharpness(columns)
        x = functional.embedding(self._tensor(bags.reshape(batch * new, -1)), folded.table).sum(1)
        added: Any = None if bias is None else self._tensor(bias)
        scale = sharpness * self._scale if isinstance(sharpness, float) else None
        sharper = self._tensor(sharpness.astype(np.float32)) if isinstance(sharpness, np.ndarray) else None
        rotations = None
        if folded.rotations is not None:
            places = self._tensor(np.minimum(sequences.facts(columns)[:, None, None, :, ITEMS], COUNTERS[1] - 1))
            rotations = functional.embedding(places, folded.rotations)
        stored, so_far = (self._store.narrow(3, *span).unbind() for span in ((columns.start, new), (0, columns.stop)))
        for number, (norm1, qkv, out, norm2, up, up_bias, down, down_bias) in enumerate(folded.layers):
            projected = _normed(x, norm1).mm(qkv)
            if new == 1:
                split = projected.view(batch, 3, self._heads, 1, -1)
            else:
                split = projected.view(batch, new, 3, self._heads, -1).permute(0, 2, 3, 1, 4)
            if rotations is not None:
                split = torch.cat((rotated(split[:, :2], rotations, torch.cat), split[:, 2:]), 1)
            queries, keys, values = split.unbind(1)
            stored[2 * number].copy_(keys)
            stored[2 * number + 1].copy_(values)
            if sharper is not None:
                queries = queries * sharper
            if new > 1 and number == len(folded.layers) - 1:  # tokens don't attend to each other after this
                queries, added, x = queries[:, :, -1:], added[:, :, -1:], x.view(batch, new, -1)[:, -1]
            mixed = functional.scaled_dot_product_attention(
                queries, so_far[2 * number], so_far[2 * number + 1], added, scale=scale
            )
            x = torch.addmm(x, (mixed if len(x) == batch else mixed.transpose(1, 2)).reshape(x.shape), out)
            inner = functional.gelu(torch.addmm(up_bias, _normed(x, norm2), up))
            x = torch.addmm(x, inner, down).add_(down_bias)
        return _normed(x, folded.norm)

    def _tensor(self, numbers: Any) -> Tensor:
        return on_device(numbers, self._store.device)


def _normed(x: Tensor, norm: tuple[Tensor, Tensor]) -> Tensor:
    return functional.layer_norm(x, norm[0].shape, *norm)
