"""How a training uses the machine: device, threads, number format, and what a micro-batch costs."""

import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import torch
from attrs import frozen

from coc_core.models import requested_device
from coc_transformer.batches import Costs
from coc_transformer.files import ModelConfig, Shape
from coc_transformer.network import inference_device, threads_for

_CPU, _ACCELERATOR = Costs(overhead=128, most=4_096), Costs(overhead=8_192, most=65_536)
_OTHERS_CPU = Costs(overhead=1_024, most=16_384)  # of a network that may read token after token, as recurrent ones do


@frozen
class Hardware:
    """What a training runs on: the device and its name, CPU threads, the format of matrix products, and costs."""

    device: torch.device
    name: str
    threads: int
    precision: str
    costs: Costs

    def autocast(self) -> torch.autocast:
        """Return a context in which matrices are multiplied in the precision chosen."""
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.precision == "bfloat16")

    def __str__(self) -> str:
        threads = f", {self.threads} thread{'s' if self.threads > 1 else ''}" if self.device.type == "cpu" else ""
        return f"{self.name}{threads}, {self.precision}"


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


def multiplies_bfloat16() -> bool:
    """Return whether torch has fast products of bfloat16 matrices for this CPU."""
    supported = getattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", None)  # torch may be built without the library
    return supported is not None and bool(supported())


@contextmanager
def hardware(device: torch.device, model: Shape, precision: str) -> Iterator[Hardware]:
    """Choose what to use; the number of threads is restored at the end. `auto` is bfloat16 on a GPU that has it. On a
    CPU it is float32, even with instructions for bfloat16, since otherwise the result would depend on the CPU; so is
    bfloat16 on a CPU without them, on which it would take many times as long.
    """
    cuda, cpu = device.type == "cuda", device.type == "cpu"
    if precision == "auto":
        precision = "bfloat16" if cuda and torch.cuda.is_bf16_supported(including_emulation=False) else "float32"
    if precision == "bfloat16" and cpu and not multiplies_bfloat16():
        precision = "float32"
    name = torch.cuda.get_device_name(device) if cuda else f"CPU ({processor_name()})" if cpu else device.type.upper()
    costs = _ACCELERATOR if not cpu else _CPU if isinstance(model, ModelConfig) else _OTHERS_CPU
    with threads_for(model) if cpu else nullcontext():
        yield Hardware(device, name, torch.get_num_threads(), precision, costs)
