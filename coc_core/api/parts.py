"""What is installed: the registry behind every function of the front door, the domains and the models."""

import inspect
import os
import warnings
from collections.abc import Iterable
from pathlib import Path

from coc_core.models import Model, on_device
from coc_core.options import PathLike
from coc_core.plugin import DomainSpec, Registry
from coc_core.setting import Setting

Files = PathLike | Iterable[PathLike]


def domains(*, plugins: Files = ()) -> dict[str, str]:
    """List the installed domains: each by its name, with one line about it.

    Args:
        plugins: Python files that are plugins, too.
    """
    return {spec.name: spec.summary for spec in open_registry(plugins).specs(DomainSpec)}


def load_model(
    domain: str,
    *,
    memory: str | None = None,
    arith: str = "symbolic",
    arith_model: str | None = None,
    model: str | None = None,
    device: str | None = None,
    plugins: Files = (),
) -> Model:
    """Load the model for a domain, ready for `complete`.

    Args:
        domain: The domain.
        memory: The memory that keeps the windows; by default the domain's own.
        arith: What computes addresses.
        arith_model: For learned arithmetic, the model that computes addresses, named as for `model`.
        model: A model or a shipped checkpoint by its name, or a checkpoint by its folder. By default the checkpoint
            that ships for the other choices.
        device: The device that the model runs on, such as `cpu` or `cuda:1`; the backend chooses by default.
        plugins: Python files that are plugins, too.

    Raises:
        UsageError: A name is unknown, the choices can't be combined, or no checkpoint ships for them.
        ArtefactError: The checkpoint is broken, or was trained for other choices.
    """
    with on_device(device):
        return Setting.of(open_registry(plugins), domain, memory, arith, arith_model=arith_model).model(model)


def open_registry(plugins: Files = ()) -> Registry:
    """Return the installed plugins and those in files; warns of each that is broken or refused."""
    files = [plugins] if isinstance(plugins, str | os.PathLike) else plugins
    registry = Registry.installed(map(Path, files))
    warn(registry.failures())
    return registry


def warn(notes: Iterable[str]) -> None:
    """Issue each note that is not empty as a UserWarning, at the line outside coc that called the front door."""
    frame = inspect.currentframe()
    level = 0
    while frame is not None and frame.f_globals.get("__name__", "").startswith("coc_"):
        frame, level = frame.f_back, level + 1
    for note in filter(None, notes):
        warnings.warn(note, UserWarning, stacklevel=level + 1)
