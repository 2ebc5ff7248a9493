"""What makes a result, beside the call: coc's sources, the versions of plugins and libraries, and the machine."""

import platform
from functools import cache
from hashlib import file_digest, sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import coc_core
from coc_core.models import requested_device
from coc_core.plugin import Registry
from coc_core.text import counted
from coc_workers.processes import usable_cores


@cache
def code() -> dict[str, Any]:
    """Return what computes results today: a digest of all files of coc's packages, shipped checkpoints included, and
    the versions of Python, torch, numpy, and other distributions that offer plugins.
    """
    packages = {Path(coc_core.__file__).parent, *Path(__file__).parents[1].glob("coc_*")}
    sums = [(folder.name, sorted(sums_of(folder, (".pyc", ".md")).items())) for folder in packages]
    versions = {"python": platform.python_version(), "torch": _version("torch"), "numpy": _version("numpy")}
    versions = {name: text.partition("+")[0] for name, text in versions.items()}  # after + is the device
    versions |= {each.distribution: each.version for each in Registry.installed().plugins if not each.built_in}
    return {"sources": sha256(repr(sorted(sums)).encode()).hexdigest(), "libraries": versions}


def sums_of(folder: Path, without: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the SHA-256 of each file in a folder that is not hidden and has none of these suffixes, by its name."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith(".") and path.suffix not in without:
            with path.open("rb") as file:
                found[path.relative_to(folder).as_posix()] = file_digest(file, "sha256").hexdigest()
    return found


@cache
def machine() -> str:
    """Return a line about this machine: its cores, the GPU that a training takes, and the versions that matter."""
    torch, gpu, (device, _) = _version("torch"), "", requested_device() or ("cuda", "")
    if device != "cpu" and torch.rpartition("+")[2] not in ("", "cpu"):  # else there is no need to import torch
        from torch.cuda import get_device_name, is_available  # takes seconds

        gpu = device if not device.startswith("cuda") else get_device_name(device) if is_available() else ""
    words = f"{counted(usable_cores(), 'core')} ({platform.machine()})", gpu, f"torch {torch}" if torch else "no torch"
    return ", ".join(filter(None, (*words, f"Python {platform.python_version()}")))


def _version(distribution: str) -> str:
    """Return the version of a distribution; an empty text if it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
