"""Reading sequences token by token with a network of the user's: by its `step`, or by running `forward` again."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from coc_transformer.network.base import on_device
from coc_transformer.tokenizer import PAD

Logits = NDArray[np.float32]


class Rereading:
    """Sequences that are read again from the beginning for each token.

    Args:
        logits: The logits after the last token of each sequence, from ids, (batch, seq), padded on the right, and the
            length of each.
        device: Where ids go.
        rows: The first tokens of each sequence.
    """

    def __init__(
        self, logits: Callable[[Tensor, Tensor], Tensor], device: torch.device, rows: Sequence[list[int]]
    ) -> None:
        self._logits, self._device, self._rows = logits, device, [list(row) for row in rows]

    @property
    def length(self) -> int:
        return max(map(len, self._rows))

    def begin(self) -> Logits:
        """The logits after what was read."""
        longest = self.length
        ids = np.array([row + [PAD] * (longest - len(row)) for row in self._rows])
        lengths = np.array([len(row) for row in self._rows])
        return _array(self._logits(on_device(ids, self._device), on_device(lengths, self._device)))

    def read(self, rows: Sequence[list[int]]) -> Logits:
        for row, new in zip(self._rows, rows, strict=True):
            row += new
        return self.begin()

    def keep(self, rows: list[int]) -> None:
        self._rows = [self._rows[row] for row in rows]


class Stepping:
    """Sequences whose state a network keeps. Those of one length are read together, since none is padded.

    Args:
        step: Gives the logits after the last of some tokens, (batch, vocab), from ids, (batch, new), and a state; and
            the new state.
        device: Where ids go.
        rows: The first tokens of each sequence.
        kept: Gives the state of some of its sequences, by their indices.
    """

    def __init__(
        self,
        step: Callable[[Tensor, Any], tuple[Tensor, Any]],
        device: torch.device,
        rows: Sequence[list[int]],
        kept: Callable[[Any, Tensor], Any] | None = None,
    ) -> None:
        self._kept = kept or _selected
        self._step, self._device, self._rows, self.length = step, device, rows, max(map(len, rows))
        lengths = [len(row) for row in rows]
        self._groups = [
            ([place for place, length in enumerate(lengths) if length == each], None) for each in dict.fromkeys(lengths)
        ]
        """The indices of the sequences of each group, and their state."""

    def begin(self) -> Logits:
        """The logits after what was read."""
        return self._next(self._rows)

    def read(self, rows: Sequence[list[int]]) -> Logits:
        self.length += 1
        return self._next(rows)

    def keep(self, rows: list[int]) -> None:
        places = {row: place for place, row in enumerate(rows)}
        groups = []
        for members, state in self._groups:
            kept = [number for number, row in enumerate(members) if row in places]
            if kept:
                chosen = on_device(np.array(kept), self._device)
                groups.append(([places[members[number]] for number in kept], self._kept(state, chosen)))
        self._groups = groups

    def _next(self, rows: Sequence[list[int]]) -> Logits:
        order, found = list[int](), list[Tensor]()
        for number, (members, state) in enumerate(self._groups):
            logits, state = self._step(on_device(np.array([rows[row] for row in members]), self._device), state)
            self._groups[number] = members, state
            order += members
            found.append(logits)
        return _array(torch.cat(found))[np.argsort(order)]  # the one place that waits for the device


def _selected(state: Any, rows: Tensor) -> Any:
    """The state of some of its sequences."""
    if isinstance(state, Tensor):
        return state.index_select(0, rows)
    if isinstance(state, dict):
        return {name: _selected(value, rows) for name, value in state.items()}
    if isinstance(state, list | tuple):
        parts = [_selected(value, rows) for value in state]
        return type(state)(*parts) if hasattr(state, "_fields") else type(state)(parts)
    return state


def _array(logits: Tensor) -> Logits:
    return logits.float().cpu().numpy()
