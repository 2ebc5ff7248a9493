"""The conformance kit: what every part of a plugin has to get right, as sets of checks.

The checks need no test runner: `checks(registry, name)` gives each of a part or of a whole plugin, and a check's `run`
raises `Nonconforming` with what is wrong. `coc check NAME` runs them, and so does pytest:

    from coc_core.testing import parametrize_with_checks

    @parametrize_with_checks("hanoi")
    def test_promise(check):
        check.run()

What is named here is imported when it is used, so that pytest's start stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coc_core.testing.check import Check, Nonconforming
    from coc_core.testing.parametrize import parametrize_with_checks
    from coc_core.testing.parts import checks
    from coc_core.testing.result import Result, examine
    from coc_core.testing.scripted import Scripted

__all__ = ["Check", "Nonconforming", "Result", "Scripted", "checks", "examine", "parametrize_with_checks"]

_HOMES = {
    "check": ("Check", "Nonconforming"),
    "parametrize": ("parametrize_with_checks",),
    "parts": ("checks",),
    "result": ("Result", "examine"),
    "scripted": ("Scripted",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
