"""The checks as parameters of a pytest test."""

from collections.abc import Mapping
from functools import partial

import pytest
from attrs import evolve

from coc_check.check import Check, Nonconforming, Result, examine, select
from coc_check.parts import checks
from coc_core.plugin import Registry


def parametrize_with_checks(
    *names: str,
    registry: Registry | None = None,
    kind: str | None = None,
    expected_failures: Mapping[str, str] | None = None,
) -> pytest.MarkDecorator:
    """Return a decorator: the test is run with each check of these parts or plugins as its argument `check`.

    `registry` is by default of all installed plugins; `kind` leaves out the other kinds. `expected_failures` has the
    reason of each check, by name, that is known to fail: it has to fail then, so that the list stays true. What comes
    after any other failure is skipped. UsageError for a name that nobody has, PluginError for a plugin that can't be
    used.
    """
    registry, expected = registry or Registry.installed(), expected_failures or {}
    found = [check for name in names for check in checks(registry, name, kind)]
    select(found, expected)
    parameters, results = [], list[Result]()
    for check in found:
        reason = expected.get(str(check), expected.get(check.name))
        mark = [] if reason is None else [pytest.mark.xfail(raises=Nonconforming, reason=reason, strict=True)]
        run = partial(_run, check, results if reason is None else [], results)
        parameters.append(pytest.param(evolve(check, run=run), id=str(check), marks=mark))
    return pytest.mark.parametrize("check", parameters)


def _run(check: Check, noted: list[Result], before: list[Result]) -> None:
    """Run a check, whose result is noted, or skip its test after one that failed `before`."""
    found = examine(check, before)
    noted.append(found)
    if found.outcome == "skipped":
        pytest.skip(found.reason)
    if found.outcome == "failed":
        raise Nonconforming(found.complaint, found.example, found.where)
