"""The device that models run on: the caller's choice, or else that of the environment variable COC_DEVICE."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

VARIABLE = "COC_DEVICE"

_chosen: ContextVar[str | None] = ContextVar("device", default=None)


@contextmanager
def on_device(name: str | None) -> Iterator[None]:
    """Open models on this device while the block runs; None leaves the choice as it is.

    The backend raises UsageError for a device that it lacks.
    """
    token = _chosen.set(_chosen.get() if name is None else name)
    try:
        yield
    finally:
        _chosen.reset(token)


def requested_device() -> tuple[str, str] | None:
    """Return the device that is asked for, such as `cuda:1`, and the words that ask for it; None if nobody asks."""
    chosen = _chosen.get()
    if chosen is not None:
        return chosen, f"device {chosen!r:.40}"
    name = os.environ.get(VARIABLE)
    return (name, f"{VARIABLE}={name!r:.40}") if name else None
