"""The checks as parameters of a pytest test."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from coc_check.check import Check, Nonconforming
from coc_check.parts import checks
from coc_check.result import reason_for, select
from coc_core.plugin import Registry

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
    reason of each check, by name, that is known to fail: it has to fail then, so that the list stays true. A check that
    needs one that has failed is skipped. UsageError for a name that nobody has, PluginError for a plugin that can't be
    used.
    """
    import pytest

    registry = registry or Registry.installed()
    expected = expected_failures or {}
    found = [check for name in names for check in checks(registry, name, kind)]
    select(found, expected)
    parameters, failed = [], list[Check]()
    for check in found:
        reason = reason_for(check, expected)
        mark = [] if reason is None else [pytest.mark.xfail(raises=Nonconforming, reason=reason, strict=True)]
        run = partial(_run, check, failed, note_failure=reason is None)
        parameters.append(pytest.param(evolve(check, run=run), id=str(check), marks=mark))
    return pytest.mark.parametrize("check", parameters)


def _run(check: Check, failed: list[Check], *, note_failure: bool) -> None:
    """Run a check, or skip its test if it needs one of the `failed` ones, to which it is added if it fails."""
    import pytest

    cause = check.first_cause(failed)
    if cause is not None:
        pytest.skip(f"because {cause} failed")
    try:
        check.run()
    except Nonconforming:
        if note_failure:
            failed.append(check)
        raise
