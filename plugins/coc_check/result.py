"""What came of a check, where some need not be run; and the checks as parameters of a pytest test."""

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from attrs import evolve, frozen

from coc_check.check import Check, Nonconforming
from coc_check.parts import checks
from coc_core.errors import UsageError
from coc_core.plugin import Registry, suggest

if TYPE_CHECKING:
    import pytest


@frozen
class Result:
    """What came of one check, and how long it took.

    `complaint`, `example` and `where` are those of the failure. A check that needs one that has failed is `skipped`,
    and `reason` names that check.
    """

    check: Check
    outcome: Literal["passed", "failed", "skipped"]
    complaint: str = ""
    example: str = ""
    reason: str = ""
    seconds: float = 0.0
    where: str = ""


def examine(check: Check, before: Iterable[Result] = ()) -> Result:
    """Run a check, unless it needs one that failed `before`."""
    cause = check.first_cause(result.check for result in before if result.outcome == "failed")
    if cause is not None:
        return Result(check, "skipped", reason=f"because {cause} failed")
    found, started = Result(check, "passed"), time.perf_counter()
    try:
        check.run()
    except Nonconforming as failure:
        found = Result(check, "failed", failure.complaint, failure.example, where=failure.where)
    return evolve(found, seconds=time.perf_counter() - started)


def select(checks: Sequence[Check], names: Iterable[str]) -> list[Check]:
    """Return the checks of these names, in their own order; UsageError, with a suggestion, for any other name.

    A check is named as `policy_is_deterministic`, or in full as `domain-hanoi-policy_is_deterministic`.
    """
    wanted = set(names)
    for name in sorted(wanted - {name for check in checks for name in (check.name, str(check))}):
        raise UsageError(f"there is no check {name!r}", remedy=suggest(name, {check.name for check in checks}))
    return [check for check in checks if wanted & {check.name, str(check)}]


def parametrize_with_checks(
    *names: str,
    registry: Registry | None = None,
    kind: str | None = None,
    expected_failures: Mapping[str, str] | None = None,
) -> "pytest.MarkDecorator":
    """Return a decorator: the test is run with each check of these parts or plugins as its argument `check`.

    `registry` is by default of all installed plugins; `kind` leaves out the other kinds. `expected_failures` has the
    reason of each check, by name, that is known to fail: it has to fail then, so that the list stays true. A check that
    needs one that has failed is skipped. UsageError for a name that nobody has, PluginError for a plugin that can't be
    used.
    """
    import pytest

    registry, expected = registry or Registry.installed(), expected_failures or {}
    found = [check for name in names for check in checks(registry, name, kind)]
    select(found, expected)
    parameters, results = [], list[Result]()
    for check in found:
        reason = expected.get(str(check), expected.get(check.name))
        mark = [] if reason is None else [pytest.mark.xfail(raises=Nonconforming, reason=reason, strict=True)]
        run = partial(_run, check, results, note=reason is None)
        parameters.append(pytest.param(evolve(check, run=run), id=str(check), marks=mark))
    return pytest.mark.parametrize("check", parameters)


def _run(check: Check, results: list[Result], *, note: bool) -> None:
    """Run a check, or skip its test if it needs one that failed among `results`, to which its own is added."""
    import pytest

    found = examine(check, results)
    if note:
        results.append(found)
    if found.outcome == "skipped":
        pytest.skip(found.reason)
    if found.outcome == "failed":
        raise Nonconforming(found.complaint, found.example, found.where)
