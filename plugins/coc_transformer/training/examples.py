"""Tokenised pairs, and batches of them."""

from array import array
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import torch
from attrs import field, frozen
from numpy.typing import NDArray
from torch import Tensor

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_core.text import counted
from coc_transformer.network import on_device
from coc_transformer.tokenizer import PAD, SYMBOL, TextTokenizer

Rows = NDArray[np.int64]
"""Indices of examples."""


@frozen(eq=False)
class Examples:
    """Token sequences end to end, at 2 bytes a token. Sequence i, of `lengths[i]` tokens, is
    `ids[starts[i]:starts[i + 1]]`; `target_starts` count within each; `parts` says how many are of each dialect, in
    order.
    """

    ids: NDArray[np.uint16]
    starts: NDArray[np.int64]
    target_starts: NDArray[np.int32]
    parts: tuple[int, ...]
    lengths: NDArray[np.int32] = field(init=False)

    @lengths.default
    def _lengths(self) -> NDArray[np.int32]:
        return np.diff(self.starts).astype(np.int32)

    def __len__(self) -> int:
        return len(self.target_starts)

    def dialects(self) -> list[Rows]:
        """Return the indices of the examples of each dialect."""
        ends = np.cumsum(self.parts)
        return [np.arange(end - count, end) for end, count in zip(ends, self.parts, strict=True)]

    def first_predicted(self, rows: Rows, loss: str) -> NDArray[np.int32]:
        """Return the first position of each sequence at which the next token is predicted, (rows,)."""
        starts = self.target_starts[rows]
        return starts - 1 if loss == "target" else np.zeros_like(starts)

    def count_predicted(self, rows: Rows, loss: str) -> int:
        """Return how many tokens of these examples are predicted."""
        return int((self.lengths[rows] - 1 - self.first_predicted(rows, loss)).sum())

    def longest_number(self, kinds: Sequence[int]) -> int:
        """Return the most digits in a row; `kinds` are those of the tokens (`TextTokenizer.kinds`)."""
        others = np.flatnonzero(np.asarray(kinds)[self.ids] != SYMBOL)
        return int(np.diff(others, prepend=-1).max(initial=1)) - 1

    def parts_of(self, rows: Rows) -> tuple[list[list[int]], list[list[int]]]:
        """Return the ids of each context, and those of each target with [EOS]."""
        spans = [(self.starts[row], self.starts[row] + self.target_starts[row], self.starts[row + 1]) for row in rows]
        contexts = [self.ids[begin:middle].tolist() for begin, middle, _ in spans]
        return contexts, [self.ids[middle:end].tolist() for _, middle, end in spans]


@frozen(eq=False)
class Batch:
    """Sequences padded on the right, (batch, seq), and the tokens to predict, (predicted,): `labels`, the next token at
    each of `positions`, which are indices of the flattened `input_ids`, and the sequences, `rows`, that these are in.
    """

    input_ids: Tensor
    positions: Tensor
    labels: Tensor
    rows: Tensor


def tokenise(parts: Mapping[int, Sequence[Pair]], tokenizer: TextTokenizer) -> Examples:
    """Tokenise the pairs of each dialect, by its index in the tokenizer."""
    tokens, starts, target_starts = array("H"), array("q", [0]), array("i")
    for dialect, pairs in parts.items():
        for pair in pairs:
            ids, target_start = tokenizer.example(pair, dialect)
            tokens.extend(ids)
            starts.append(len(tokens))
            target_starts.append(target_start)
    lengths = tuple(map(len, parts.values()))
    return Examples(np.asarray(tokens), np.asarray(starts), np.asarray(target_starts), lengths)


def check_lengths(several: Iterable[Examples], max_len: int) -> None:
    """Raise UsageError if a pair of any of these has more than `max_len` tokens; it says how many all of them need."""
    lengths = np.concatenate([examples.lengths for examples in several])
    longest, longer = int(lengths.max(initial=0)), int((lengths > max_len).sum())
    if longer:
        raise UsageError(
            f"{longer:,} of {counted(len(lengths), 'pair')} have more tokens than 'max_len', which is {max_len}; the"
            f" longest has {longest:,}",
            remedy=f"train with max_len={longest} or more",
        )


def collate(
    examples: Examples, rows: Rows, loss: str, device: torch.device, names: NDArray[np.int64] | None = None
) -> Batch:
    """Make a batch that predicts the target with [EOS], or, with the loss `all`, every token after the first. `names`
    has the id that replaces each id in each sequence, (batch, vocab).
    """
    ends = examples.lengths[rows, None] - 1
    grid = np.arange(ends.max())
    inside = grid < ends
    indices = examples.starts[rows, None] + grid
    input_ids = np.where(inside, examples.ids.take(indices, mode="clip"), np.uint16(PAD)).astype(np.int64)
    predicted = inside & (grid >= examples.first_predicted(rows, loss)[:, None])
    labels = examples.ids[indices[predicted] + 1].astype(np.int64)
    row, _ = np.nonzero(predicted)
    if names is not None:
        input_ids, labels = np.take_along_axis(names, input_ids, 1), names[row, labels]
    parts = (input_ids, np.flatnonzero(predicted), labels, row)
    return Batch(*(on_device(part, device) for part in parts))


_CUTS = 64  # positions to cut at, unless micro-batches must be smaller than the pieces between them


@frozen
class Costs:
    """The costs of a device, in tokens: what a micro-batch costs besides its own, and its most, but for a longer
    sequence.
    """

    overhead: int
    most: int


def cut(lengths: NDArray[np.int32], costs: Costs) -> list[slice]:
    """Cut the sorted lengths, (batch,), into slices of the least total cost, by dynamic programming. A slice costs its
    number of sequences times its longest length, and the overhead. Cuts are tried at 64 positions or a few more.
    """
    count = len(lengths)
    piece = max(1, min(-(-count // _CUTS), costs.most // int(lengths[-1])))
    ends = np.append(np.arange(0, count, piece), count)
    best, begin = np.zeros(len(ends)), np.zeros(len(ends), int)
    for index in range(1, len(ends)):
        # A slice that is too large is an option only where there is no smaller one.
        first = max(0, index - max(1, costs.most // int(lengths[ends[index] - 1]) // piece))
        price = best[first:index] + (ends[index] - ends[first:index]) * int(lengths[ends[index] - 1])
        begin[index] = first + int(price.argmin())
        best[index] = price[begin[index] - first] + costs.overhead
    slices, index = [], len(ends) - 1
    while index:
        slices.append(slice(int(ends[begin[index]]), int(ends[index])))
        index = int(begin[index])
    return slices[::-1]
