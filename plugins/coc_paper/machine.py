"""What results are computed on."""

import platform
from functools import cache
from importlib.metadata import version

from coc_core.extras import needs_extra
from coc_core.models import requested_device
from coc_core.text import counted
from coc_workers.cores import usable_cores


def torch_version() -> str:
    """The version of torch; UsageError if it is not installed."""
    with needs_extra("train", "the paper's results need torch"):
        return version("torch")


@cache
def machine() -> str:
    """A line about this machine: its cores, the device that is asked for, and the versions that matter."""
    device = requested_device()
    accelerator = f", {_name(device[0])}" if device and device[0] != "cpu" else ""
    cores = f"{counted(usable_cores(), 'core')} ({platform.machine()})"
    return f"{cores}{accelerator}, torch {torch_version()}, Python {platform.python_version()}"


def _name(device: str) -> str:
    import torch  # takes seconds, and is needed only here

    return torch.cuda.get_device_name(device) if device.startswith("cuda") else device
