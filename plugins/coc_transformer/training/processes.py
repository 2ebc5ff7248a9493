"""Several processes that train one model together, as `torchrun` starts them.

Each takes its share of every step's pairs; torch's DistributedDataParallel adds their gradients up. Whatever touches
the disk or the person is done by the first process, and what came of it is told to the others.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

import torch
from attrs import frozen
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from coc_core.errors import CocError, UsageError
from coc_core.text import parse_decimal
from coc_transformer.batches import Rows

ResultT = TypeVar("ResultT")


@frozen
class Ranks:
    """The processes of a training, as one of them sees them: its number, how many there are, its device."""

    rank: int
    count: int
    device: torch.device

    @property
    def first(self) -> bool:
        """Whether this is the process that writes and reports."""
        return self.rank == 0

    def share(self, rows: Rows) -> Rows:
        """What this process does of `rows`; in order of length each gets as much work as the others."""
        return rows[self.rank :: self.count]

    def from_first(self, make: Callable[[], ResultT]) -> ResultT:
        """What the first process makes, or its CocError or KeyboardInterrupt, in all of them."""
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
        """The sum over the processes, in place."""
        if self.count > 1:
            distributed.all_reduce(values)
        return values

    def least(self, value: float) -> float:
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

    def together(self, module: nn.Module) -> nn.Module:
        """The module, to be called by all processes; gradients become the mean of theirs."""
        if self.count == 1:
            return module
        devices = [self.device] if self.device.type == "cuda" else None
        # The buffers of a model never change, so no process has to hear of another's.
        return DistributedDataParallel(module, device_ids=devices, broadcast_buffers=False)


def apart(module: nn.Module, *, apart: bool) -> AbstractContextManager[None]:
    """Within it gradients stay with each process, if so wished."""
    return module.no_sync() if apart and isinstance(module, DistributedDataParallel) else nullcontext()


@contextmanager
def ranks() -> Iterator[Ranks]:
    """The processes that `torchrun` started, or this one alone; UsageError if the environment makes no sense."""
    count = _number("WORLD_SIZE", 1)
    rank = _number("RANK", 0 if count == 1 else None)
    local = _number("LOCAL_RANK", 0 if count == 1 else None)
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", local) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    if count == 1:
        yield Ranks(0, 1, device)
        return
    distributed.init_process_group("cpu:gloo,cuda:nccl" if cuda else "gloo")
    try:
        yield Ranks(rank, count, device)
    finally:
        distributed.destroy_process_group()


def _number(name: str, default: int | None) -> int:
    text = os.environ.get(name, "" if default is None else str(default))
    try:
        return parse_decimal(text)
    except ValueError:
        raise UsageError(
            f"the environment says {name}={text!r:.40}, which is no number of processes or one of them",
            remedy="start several processes with torchrun",
        ) from None
