"""Doors for others: Gymnasium, the Hub, a server, harnesses. To verifiers, it is the task set `coc-doors`."""

from typing import Any

__all__ = ["CocTaskset", "load_environment"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from coc_doors.harnesses import verifiers_steps

    return getattr(verifiers_steps, name)
