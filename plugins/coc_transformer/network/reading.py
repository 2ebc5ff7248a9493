"""Reading sequences token by token with a network that is not the decoder."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from coc_transformer.network.base import on_device

Logits = NDArray[np.float32]


class Stepping:
    """Sequences whose state a network keeps. Those of one length are read together, since none is padded. From ids,
    (batch, new), on `device`, and a state `step` gives the logits after the last of them, (batch, vocab), and the new
    state; `kept` gives the state of some sequences, by their indices.
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
        """Return the logits after what was read."""
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
        return torch.cat(found).float().cpu().numpy()[np.argsort(order)]  # the one place that waits for the device


def _selected(state: Any, rows: Tensor) -> Any:
    """Return the state of some of its sequences."""
    if isinstance(state, Tensor):
        return state.index_select(0, rows)
    if isinstance(state, dict):
        return {name: _selected(value, rows) for name, value in state.items()}
    if isinstance(state, list | tuple):
        parts = [_selected(value, rows) for value in state]
        return type(state)(*parts) if hasattr(state, "_fields") else type(state)(parts)
    return state
