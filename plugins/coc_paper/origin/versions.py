"""What results are computed on."""

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from coc_core.models import requested_device
from coc_core.text import counted
from coc_workers.cores import usable_cores


def version_of(distribution: str) -> str:
    """The version of a distribution; empty if it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def hardware(*, trains: bool) -> str:
    """The kind of hardware that a network is trained on, or else run on: a generation of GPUs, or a kind of processor.

    A training takes the device that is asked for, or else the first GPU. A run takes a GPU only if it is asked for.
    GPUs of one compute capability run the same kernels, so an H100 goes on where an H200 stopped.
    """
    device = _device(trains)
    return platform.machine() if device == "cpu" else _gpu(device)[1]


@cache
def machine() -> str:
    """A line about this machine: its cores, the GPU that is used, and the versions that matter."""
    device = _device(trains=True)
    accelerator = "" if device == "cpu" else f", {_gpu(device)[0]}"
    cores = f"{counted(usable_cores(), 'core')} ({platform.machine()})"
    torch = version_of("torch")
    return f"{cores}{accelerator}, {f'torch {torch}' if torch else 'no torch'}, Python {platform.python_version()}"


def _device(trains: bool) -> str:
    asked = requested_device()
    return asked[0] if asked else "cuda" if trains and _has_gpu() else "cpu"


@cache
def _has_gpu() -> bool:
    if version_of("torch").rpartition("+")[2] in ("", "cpu"):  # not installed, or built without: no need to ask it
        return False
    import torch  # takes seconds

    return torch.cuda.is_available()


@cache
def _gpu(device: str) -> tuple[str, str]:
    """The name of a device, and its kind."""
    if not device.startswith("cuda"):
        return device, device
    import torch  # takes seconds

    try:
        major, minor = torch.cuda.get_device_capability(device)
        return torch.cuda.get_device_name(device), f"a GPU of compute capability {major}.{minor}"
    except (AssertionError, RuntimeError, ValueError):  # it is not there; what runs on it says so
        return device, device
