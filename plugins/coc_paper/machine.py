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
    """The kind of hardware that a network is trained on, or else run on: a GPU's name, or a kind of processor.

    A training takes the device that is asked for, or else the first GPU. A run takes a GPU only if it is asked for.
    """
    asked = requested_device()
    device = asked[0] if asked else "cuda" if trains and _has_gpu() else "cpu"
    return platform.machine() if device == "cpu" else _name(device)


@cache
def machine() -> str:
    """A line about this machine: its cores, the GPU that is used, and the versions that matter."""
    kind = hardware(trains=True)
    accelerator = f", {kind}" if kind != platform.machine() else ""
    cores = f"{counted(usable_cores(), 'core')} ({platform.machine()})"
    torch = version_of("torch")
    return f"{cores}{accelerator}, {f'torch {torch}' if torch else 'no torch'}, Python {platform.python_version()}"


@cache
def _has_gpu() -> bool:
    if version_of("torch").rpartition("+")[2] in ("", "cpu"):  # not installed, or built without: no need to ask it
        return False
    import torch  # takes seconds

    return torch.cuda.is_available()


@cache
def _name(device: str) -> str:
    if not device.startswith("cuda"):
        return device
    import torch  # takes seconds

    try:
        return torch.cuda.get_device_name(device)
    except (AssertionError, RuntimeError, ValueError):  # it is not there; what runs on it says so
        return device
