"""What a model computes with: the device, by default the CPU, and its threads."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from coc_core.errors import UsageError
from coc_core.models import requested_device
from coc_core.plugin import suggest
from coc_transformer.files import Shape


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
