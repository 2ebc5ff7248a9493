"""How a training uses the machine: device, threads, number format, and what a micro-batch costs."""

import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import torch
from attrs import frozen

from coc_core.models import requested_device
from coc_transformer.files import ModelConfig, Shape
from coc_transformer.network import inference_device, threads_for
from coc_transformer.training.examples import Costs

_CPU, _ACCELERATOR = Costs(overhead=128, most=4_096), Costs(overhead=8_192, most=65_536)
_OTHERS_CPU = Costs(overhead=1_024, most=16_384)  # of a network that may read token after token, as recurrent ones do


@frozen
class Hardware:
    """What a training runs on: the device and its name, CPU threads, the format of matrix products, and costs."""

    device: torch.device
    name: str
    threads: int
    bfloat16: bool
    costs: Costs

    def autocast(self) -> torch.autocast:
        """Return a context in which matrices are multiplied in the format chosen."""
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.bfloat16)

    def __str__(self) -> str:
        threads = f", {self.threads} thread{'s' if self.threads > 1 else ''}" if self.device.type == "cpu" else ""
        return f"{self.name}{threads}, {'bfloat16' if self.bfloat16 else 'float32'}"


def training_device() -> torch.device:
    """Return the requested device, by default the first GPU; UsageError if torch finds no such device."""
    unasked = requested_device() is None and torch.cuda.is_available()
    device = torch.device("cuda", 0) if unasked else inference_device()
    if device.type == "cuda":
        torch.cuda.set_device(device)
    return device


def processor_name() -> str:
    """Return the model of this machine's processor: trainings are bit-equal on one model, and differ between two."""
    with suppress(OSError):
        name = re.search(r"^model name\s*:(.*)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
        if name:
            return name[1].strip()
    return platform.processor() or platform.machine()


@contextmanager
def hardware(device: torch.device, model: Shape) -> Iterator[Hardware]:
    """Choose what to use: bfloat16 on a GPU that has it, else float32. The number of threads is restored at the end."""
    cuda, cpu = device.type == "cuda", device.type == "cpu"
    bfloat16 = cuda and torch.cuda.is_bf16_supported(including_emulation=False)
    name = torch.cuda.get_device_name(device) if cuda else f"CPU ({processor_name()})" if cpu else device.type.upper()
    costs = _ACCELERATOR if not cpu else _CPU if isinstance(model, ModelConfig) else _OTHERS_CPU
    with threads_for(model) if cpu else nullcontext():
        yield Hardware(device, name, torch.get_num_threads(), bfloat16, costs)
