"""Several processes that train one model together, started by `torchrun`.

Each takes its share of every step's pairs, and torch's DistributedDataParallel averages their gradients. Only the first
process accesses the disk and reports progress; the others receive the results.
"""

import atexit
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

import torch
from attrs import frozen
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from coc_core.errors import CocError, UsageError
from coc_core.models import requested_device
from coc_core.text import parse_decimal
from coc_transformer.batches import Rows
from coc_transformer.model import inference_device

ResultT = TypeVar("ResultT")


@frozen
class Ranks:
    """The processes of a training, as one of them sees them: its rank, how many there are, its device."""

    rank: int
    count: int
    device: torch.device

    @property
    def first(self) -> bool:
        """Whether this is the process that writes and reports."""
        return self.rank == 0

    def share(self, rows: Rows) -> Rows:
        """The share of `rows` that this process does; if they are sorted by length, all shares are about equal."""
        return rows[self.rank :: self.count]

    def from_first(self, make: Callable[[], ResultT]) -> ResultT:
        """Call `make` in the first process; its result, CocError or KeyboardInterrupt reaches all processes."""
        if self.count == 1:
            return make()
        made: list[Any] = [None, None]
        if self.first:
            try:
                made[0] = make()
            except (CocError, KeyboardInterrupt) as error:
                made[1] = error
        distributed.broadcast_object_list(made, src=0, device=torch.device("cpu"))
        if made[1] is not None:
            raise made[1]
        result: ResultT = made[0]
        return result

    def sum(self, values: Tensor) -> Tensor:
        """The sum over all processes, in place."""
        if self.count > 1:
            distributed.all_reduce(values)
        return values

    def minimum(self, value: float) -> float:
        """The smallest of the processes' values."""
        if self.count == 1:
            return value
        values = torch.tensor(value, dtype=torch.float64)
        distributed.all_reduce(values, op=distributed.ReduceOp.MIN)
        return values.item()

    def copy_from_first(self, tensors: list[Tensor]) -> None:
        """Give all processes the first one's values, in place."""
        for tensor in tensors if self.count > 1 else ():
            distributed.broadcast(tensor, src=0)

    def data_parallel(self, module: nn.Module) -> nn.Module:
        """The module with gradients averaged over all processes, each of which must call it."""
        if self.count == 1:
            return module
        devices = [self.device] if self.device.type == "cuda" else None
        with warnings.catch_warnings():
            # Torch 2.13 has another name for the argument, which the versions before it don't know.
            warnings.filterwarnings("ignore", message="`broadcast_buffers` is deprecated")
            # A model's buffers never change, so they need not be broadcast.
            return DistributedDataParallel(module, device_ids=devices, broadcast_buffers=False)


def gradient_sync(module: nn.Module, *, enabled: bool) -> AbstractContextManager[None]:
    """A context in which gradients are averaged over the processes only if `enabled`."""
    return module.no_sync() if not enabled and isinstance(module, DistributedDataParallel) else nullcontext()


@contextmanager
def ranks() -> Iterator[Ranks]:
    """The processes that `torchrun` started, or this one alone, on the requested device or else the first GPU.

    Raises:
        UsageError: If the environment variables of `torchrun` are invalid, or the requested device is not there.
    """
    count = _number("WORLD_SIZE", 1)
    rank = _number("RANK", 0 if count == 1 else None)
    local = _number("LOCAL_RANK", 0 if count == 1 else None)
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", local) if cuda else torch.device("cpu")
    if count == 1 and requested_device() is not None:
        device = inference_device()
    if device.type == "cuda":
        torch.cuda.set_device(device)
    if count == 1:
        yield Ranks(0, 1, device)
        return
    if not distributed.is_initialized():  # a second group would meet the addresses of the first, which torchrun keeps
        distributed.init_process_group("cpu:gloo,cuda:nccl" if cuda else "gloo")
        atexit.register(distributed.destroy_process_group)
    yield Ranks(rank, count, device)


def _number(name: str, default: int | None) -> int:
    text = os.environ.get(name, "" if default is None else str(default))
    try:
        return parse_decimal(text)
    except ValueError:
        raise UsageError(
            f"the environment says {name}={text!r:.40}, which is not a number of processes or of one of them",
            remedy="start several processes with torchrun",
        ) from None
