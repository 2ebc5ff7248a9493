"""How a training uses the machine: device, threads, number format, and what a micro-batch costs."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import torch
from attrs import frozen

from coc_transformer.batches import Costs
from coc_transformer.model import ModelConfig, TrainingConfig, threads_for

_COSTS = {"cpu": Costs(overhead=128, most=4_096), "cuda": Costs(overhead=8_192, most=65_536)}


@frozen
class Hardware:
    """What a training runs on: the device and its name, CPU threads, the format of matrix products, and costs."""

    device: torch.device
    name: str
    threads: int
    precision: str
    costs: Costs

    def autocast(self) -> torch.autocast:
        """A context in which matrices are multiplied in the precision chosen."""
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.precision == "bfloat16")

    def __str__(self) -> str:
        threads = "" if self.device.type == "cuda" else f", {self.threads} thread{'s' if self.threads > 1 else ''}"
        return f"{self.name}{threads}, {self.precision}"


@contextmanager
def hardware(device: torch.device, model: ModelConfig, config: TrainingConfig) -> Iterator[Hardware]:
    """Choose what to use; the number of threads is restored at the end.

    `auto` is bfloat16 on a GPU that has it. On a CPU it is float32, even where there are instructions for bfloat16,
    since otherwise the result would depend on the CPU.
    """
    cuda = device.type == "cuda"
    precision = config.precision
    if precision == "auto":
        precision = "bfloat16" if cuda and torch.cuda.is_bf16_supported(including_emulation=False) else "float32"
    name = torch.cuda.get_device_name(device) if cuda else "CPU"
    with nullcontext() if cuda else threads_for(model):
        yield Hardware(device, name, torch.get_num_threads(), precision, _COSTS[device.type])
