"""The conformance kit: what every part of a plugin has to get right, as checks; a fuzzer; and skeletons of plugins.

The checks need no test runner: `checks(registry, name)` gives each of a part or of a whole plugin, and a check's `run`
raises `Nonconforming` with what is wrong. `coc check NAME` runs them, and so does pytest:

    from coc_check import parametrize_with_checks

    @parametrize_with_checks("hanoi")
    def test_promise(check):
        check.run()

What is named here is imported when it is used, and the hooks are in a module of their own, so that pytest starts light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coc_check.check import Check, Nonconforming
    from coc_check.parametrize import parametrize_with_checks
    from coc_check.parts import checks
    from coc_check.result import Result, examine
    from coc_check.scripted import Scripted

__all__ = ["Check", "Nonconforming", "Result", "Scripted", "checks", "examine", "parametrize_with_checks"]

_HOMES = {
    "Check": "check",
    "Nonconforming": "check",
    "Result": "result",
    "Scripted": "scripted",
    "checks": "parts",
    "examine": "result",
    "parametrize_with_checks": "parametrize",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
