"""What training and decoding call: a network and the choice of one; and what it computes with, by default the CPU."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from math import inf
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from coc_core.errors import UsageError
from coc_core.models import requested_device
from coc_core.plugin import suggest
from coc_transformer.files import Shape
from coc_transformer.tokenizer import PAD


def inference_device() -> torch.device:
    """Return the requested device, as torch writes it (`cuda:1`), by default the CPU; UsageError if there is none."""
    devices = {"cpu": torch.device("cpu")}
    if (kind := torch.accelerator.current_accelerator()) is not None:
        found = [torch.device(kind.type, index) for index in range(torch.accelerator.device_count())]
        devices |= {kind.type: found[0]} | {str(device): device for device in found}
    name, request = requested_device() or ("cpu", "")
    if name not in devices:
        raise UsageError(f"{request}: torch finds no such device here", remedy=suggest(name, devices))
    return devices[name]


def device_name(device: torch.device) -> str:
    """Return what the record of a run calls a device."""
    return f"{device}, {torch.cuda.get_device_name(device)}" if device.type == "cuda" else str(device)


SMALL = 4_000_000  # parameters


@contextmanager
def threads_for(model: Shape) -> Iterator[None]:
    """Use one thread for a small model in the block: more are no faster, and far slower beside other programs."""
    before = torch.get_num_threads()
    if model.parameters() <= SMALL:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


_READ_CPU = 1 << 11  # tokens that are read at once, so that the activations stay in the processor's caches
_READ_FLOAT64 = 1 << 8  # likewise, in float64
_READ = 1 << 16  # on a GPU, as in training
_FLOATS_CPU = 1 << 26  # for all these tokens together
_FLOATS = 1 << 30


class Network(nn.Module, ABC):
    """Token ids in, the logits of each next token out: a `coc_transformer.continuation.Runtime`. `config` says how
    large it is, and `draws` whether it draws random numbers while it is trained, as dropout does.
    """

    config: Shape
    draws: bool
    most_begun = inf

    @abstractmethod
    def hidden(self, input_ids: Tensor, drawn: Any = None, selected: Tensor | None = None) -> Tensor:
        """Return what `project` computes logits from, (batch, seq, width), for ids, (batch, seq); or (selected, width)
        of the tokens at these indices into (batch * seq), which may be faster. `drawn` is what is drawn for each
        sequence in training. Padding on the right changes nothing before it, since a network is causal.
        """

    @abstractmethod
    def project(self, x: Tensor) -> Tensor:
        """Return the logits: (..., width) -> (..., vocab)."""

    @abstractmethod
    def begin(self, rows: Sequence[list[int]]) -> Any:
        """Return a `coc_transformer.continuation.Reader` for sequences that begin with these, which it has not read."""

    @abstractmethod
    def saved(self) -> Mapping[str, Tensor]:
        """Return the tensors of its checkpoint by name, not copied."""

    @abstractmethod
    def matrices(self) -> frozenset[str]:
        """Return the names of the parameters that Muon updates, with that optimiser: matrices of inner layers."""

    def forward(self, input_ids: Tensor) -> Tensor:
        """Return the logits: (batch, seq) -> (batch, seq, vocab)."""
        return self.project(self.hidden(input_ids))

    @property
    def most_read(self) -> float:
        """How many tokens the rows of `last_logits` may have."""
        tokens, floats = _READ, _FLOATS
        if self.device.type == "cpu":
            tokens, floats = _READ_FLOAT64 if self.dtype == torch.float64 else _READ_CPU, _FLOATS_CPU
        return min(tokens, floats / self.config.floats_per_token())

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Use as many threads as are best for a network of this size, and keep no gradients."""
        with threads_for(self.config), torch.inference_mode():
            yield

    def last_logits(self, rows: Sequence[list[int]], lengths: Sequence[int]) -> Tensor:
        """Return the logits of so many of the last tokens of each row, one row after another, (L, vocab)."""
        ends = np.array([len(row) for row in rows])
        places = np.arange(ends.max(initial=0))
        input_ids = np.full((len(rows), len(places)), PAD)
        inside = places < ends[:, None]
        input_ids[inside] = np.fromiter(chain.from_iterable(rows), np.int64, ends.sum())
        selected = np.flatnonzero(inside & (places >= (ends - lengths)[:, None]))
        device = self.device
        return self.project(self.hidden(on_device(input_ids, device), selected=on_device(selected, device)))

    def likeliest(self, logits: Tensor) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return each row's likeliest token, its margin over the next best, and whether all logits are finite."""
        values, indices = logits.to(torch.promote_types(logits.dtype, torch.float32)).topk(2)
        finite = torch.isfinite(logits).all(1)
        packed = torch.stack((indices[:, 0].to(values.dtype), values[:, 0] - values[:, 1], finite.to(values.dtype)))
        chosen, margins, whole = packed.cpu().numpy()  # the one place that waits for the device
        return chosen.astype(np.int64), margins, whole.astype(bool)

    def array(self, logits: Tensor) -> NDArray[Any]:
        """Such logits as an array of numpy."""
        return logits.cpu().numpy()

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return next(self.parameters()).device

    @property
    def dtype(self) -> torch.dtype:
        """The number format of the weights."""
        return next(self.parameters()).dtype


def on_device(numbers: NDArray[Any], device: torch.device) -> torch.Tensor:
    """Return an array as a tensor on a device, which it reaches while the caller goes on."""
    tensor = torch.from_numpy(numbers)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)


def inner_matrices(network: Network) -> dict[str, nn.Parameter]:
    """Return the matrices among the parameters by name, but for embeddings."""
    embeddings = {id(each.weight) for each in network.modules() if isinstance(each, nn.Embedding)}
    named = network.named_parameters()
    return {name: each for name, each in named if each.dim() == 2 and id(each) not in embeddings}


Logits = NDArray[np.float32]


class Stepping:
    """Sequences whose state a network keeps. Those of one length are read together, since none is padded. From ids,
    (batch, new), on `device`, and a state `step` gives the logits after the last of them, (batch, vocab), and the new
    state.
    """

    def __init__(
        self,
        step: Callable[[Tensor, Any], tuple[Tensor, Any]],
        device: torch.device,
        rows: Sequence[list[int]],
    ) -> None:
        self._step, self._device, self.length = step, device, 0
        lengths = [len(row) for row in rows]
        self._groups = [
            ([place for place, length in enumerate(lengths) if length == each], None) for each in dict.fromkeys(lengths)
        ]
        """The indices of the sequences of each group, and their state."""

    def keep(self, rows: list[int]) -> None:
        places = {row: place for place, row in enumerate(rows)}
        groups = []
        for members, state in self._groups:
            kept = [number for number, row in enumerate(members) if row in places]
            if kept:
                chosen = on_device(np.array(kept), self._device)
                groups.append(([places[members[number]] for number in kept], _selected(state, chosen)))
        self._groups = groups

    def read(self, rows: Sequence[list[int]]) -> Logits:
        self.length += max(map(len, rows))
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
