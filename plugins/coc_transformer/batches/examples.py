"""Pairs as tokens, and batches of them."""

from array import array
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from attrs import field, frozen
from numpy.typing import NDArray
from torch import Tensor

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_core.text import quoted
from coc_transformer.tokenizer import PAD, TextTokenizer

Rows = NDArray[np.int64]
"""Indices of examples."""


@frozen(eq=False)
class Examples:
    """Token sequences end to end, 2 bytes a token.

    Sequence i is `ids[starts[i]:starts[i + 1]]`, and its target begins at `targets[i]` within it. `parts` are the
    numbers of examples of each dialect, in order.
    """

    ids: NDArray[np.uint16]
    starts: NDArray[np.int64]
    targets: NDArray[np.int32]
    parts: tuple[int, ...]
    lengths: NDArray[np.int32] = field(init=False)

    @lengths.default
    def _lengths(self) -> NDArray[np.int32]:
        return np.diff(self.starts).astype(np.int32)

    def __len__(self) -> int:
        return len(self.targets)

    def dialects(self) -> list[Rows]:
        """The indices of each dialect's examples."""
        ends = np.cumsum(self.parts)
        return [np.arange(end - count, end) for end, count in zip(ends, self.parts, strict=True)]

    def first_predicting(self, rows: Rows, loss: str) -> NDArray[np.int32]:
        """Where the first token stands that has to foretell the next one, (B,)."""
        return self.targets[rows] - 1 if loss == "target" else np.zeros(len(rows), np.int32)

    def predicted(self, rows: Rows, loss: str) -> int:
        """How many tokens of these examples are foretold."""
        return int((self.lengths[rows] - 1 - self.first_predicting(rows, loss)).sum())

    def by_length(self, rows: Rows) -> Rows:
        """The same rows, the shortest first."""
        return rows[np.argsort(self.lengths[rows], kind="stable")]


@frozen(eq=False)
class Batch:
    """Sequences padded on the right, `ids` (B, T), and what is foretold: N places in the flattened (B · T).

    `labels` (N,) are the tokens that follow there, and `rows` (N,) says in which of the B sequences a place is.
    """

    ids: Tensor
    places: Tensor
    labels: Tensor
    rows: Tensor

    def to(self, device: torch.device) -> "Batch":
        """The batch there, copied while the processor goes on."""
        if device.type == "cpu":
            return self
        moved = (
            part.pin_memory().to(device, non_blocking=True) for part in (self.ids, self.places, self.labels, self.rows)
        )
        return Batch(*moved)


def tokenise(parts: Mapping[int, Sequence[Pair]], tokenizer: TextTokenizer, max_len: int) -> Examples:
    """The pairs of each dialect, by the tokenizer's number for it; UsageError if one has more than `max_len` tokens."""
    tokens, starts, targets = array("H"), array("q", [0]), array("i")
    for dialect, pairs in parts.items():
        for pair in pairs:
            ids, target = tokenizer.example(pair, dialect)
            if len(ids) > max_len:
                raise UsageError(
                    f"the pair with the prompt {quoted(pair.prompt, 60)} has {len(ids)} tokens, and 'max_len' is"
                    f" {max_len}",
                    remedy=f"train with max_len={len(ids)} or more",
                )
            tokens.extend(ids)
            starts.append(len(tokens))
            targets.append(target)
    return Examples(
        np.frombuffer(tokens, np.uint16) if tokens else np.empty(0, np.uint16),
        np.frombuffer(starts, np.int64),
        np.frombuffer(targets, np.int32) if targets else np.empty(0, np.int32),
        tuple(map(len, parts.values())),
    )


def collate(examples: Examples, rows: Rows, loss: str) -> Batch:
    """Some examples as one batch. What is foretold is the target with [EOS], or all that follows a first token."""
    ends = examples.lengths[rows, None] - 1
    grid = np.arange(ends.max())
    inside = grid < ends
    places = examples.starts[rows, None] + grid
    ids = np.where(inside, examples.ids.take(places, mode="clip"), np.uint16(PAD)).astype(np.int64)
    predicted = inside & (grid >= examples.first_predicting(rows, loss)[:, None])
    labels = examples.ids[places[predicted] + 1].astype(np.int64)
    row, _ = np.nonzero(predicted)
    return Batch(*map(torch.from_numpy, (ids, np.flatnonzero(predicted), labels, row)))
