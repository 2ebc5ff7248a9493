"""The checks as parameters of a pytest test."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from coc_core.plugin import Registry
from coc_core.testing.check import Nonconforming
from coc_core.testing.parts import checks
from coc_core.testing.result import reason_for, select

if TYPE_CHECKING:
    import pytest


def parametrize_with_checks(
    *names: str,
    registry: Registry | None = None,
    kind: str | None = None,
    expected_failures: Mapping[str, str] | None = None,
) -> "pytest.MarkDecorator":
    """A decorator: the test is run with each check of these parts or plugins as its argument `check`.

    `registry` is by default of all installed plugins; `kind` leaves out the other kinds. `expected_failures` has the
    reason of each check, by name, that is known to fail: it has to fail then, so that the list stays true. UsageError
    for a name that nobody has, PluginError for a plugin that can't be used.
    """
    import pytest

    registry = registry or Registry.installed()
    expected = expected_failures or {}
    found = [check for name in names for check in checks(registry, name, kind)]
    select(found, expected)
    parameters = []
    for check in found:
        reason = reason_for(check, expected)
        mark = [] if reason is None else [pytest.mark.xfail(raises=Nonconforming, reason=reason, strict=True)]
        parameters.append(pytest.param(check, id=str(check), marks=mark))
    return pytest.mark.parametrize("check", parameters)
