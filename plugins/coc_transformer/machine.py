"""How a training uses the machine: threads, number formats, and what a micro-batch costs there."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from attrs import frozen

from coc_transformer.buckets import Costs
from coc_transformer.config import ModelConfig, TrainingConfig

_SMALL = 4_000_000  # parameters
_COSTS = {"cpu": Costs(overhead=128, most=4_096), "cuda": Costs(overhead=8_192, most=65_536)}


@frozen
class Use:
    """What a training runs on: the device, its name, the threads, and what matrices are multiplied in."""

    device: torch.device
    name: str
    threads: int
    precision: str
    costs: Costs

    def autocast(self) -> torch.autocast:
        """Within it matrices are multiplied in the precision chosen."""
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.precision == "bfloat16")

    def __str__(self) -> str:
        threads = "" if self.device.type == "cuda" else f", {self.threads} thread{'s' if self.threads > 1 else ''}"
        return f"{self.name}{threads}, {self.precision}"


@contextmanager
def use(device: torch.device, model: ModelConfig, config: TrainingConfig) -> Iterator[Use]:
    """Choose, and give the caller's threads back in the end.

    A small model has one thread: more are no faster, and far slower where other programs want the cores. `auto` is
    bfloat16 on a GPU that has it. On a CPU it is float32, even where there are instructions for bfloat16: for a small
    model the conversions take longer than they save, and another CPU would train another model.
    """
    cuda = device.type == "cuda"
    precision = config.precision
    if precision == "auto":
        precision = "bfloat16" if cuda and torch.cuda.is_bf16_supported(including_emulation=False) else "float32"
    before = torch.get_num_threads()
    if not cuda and model.parameters() <= _SMALL:
        torch.set_num_threads(1)
    try:
        name = torch.cuda.get_device_name(device) if cuda else "CPU"
        yield Use(device, name, torch.get_num_threads(), precision, _COSTS[device.type])
    finally:
        torch.set_num_threads(before)
