"""What came of a check, where some checks may be expected to fail and others need not be run."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from attrs import frozen

from coc_check.check import Check, Nonconforming
from coc_core.errors import UsageError
from coc_core.plugin import suggest

Outcome = Literal["passed", "failed", "expected failure", "unexpected pass", "skipped"]
"""What can come of a check."""


@frozen
class Result:
    """What came of one check, and how long it took.

    `complaint`, `example` and `where` are those of the failure; for an expected one, `reason` is why it was. A check
    that was expected to fail and does not is an `unexpected pass`: the expectation is out of date. One that needs a
    check that has failed is `skipped`, and `reason` names that check.
    """

    check: Check
    outcome: Outcome
    complaint: str = ""
    example: str = ""
    reason: str = ""
    seconds: float = 0.0
    where: str = ""

    @property
    def as_promised(self) -> bool:
        """Whether the check passed, or failed as expected."""
        return self.outcome in ("passed", "expected failure")


def examine(check: Check, expected: Mapping[str, str] | None = None, before: Iterable[Result] = ()) -> Result:
    """Run a check, unless it needs one that failed.

    Args:
        check: What to run.
        expected: The reason of each expected failure by the check's name, or by its full name.
        before: The results so far.
    """
    cause = check.first_cause(result.check for result in before if result.outcome == "failed")
    if cause is not None:
        return Result(check, "skipped", reason=f"because {cause} failed")
    reason = reason_for(check, expected or {})
    complaint = example = where = ""
    started = time.perf_counter()
    try:
        check.run()
    except Nonconforming as failure:
        outcome: Outcome = "failed" if reason is None else "expected failure"
        complaint, example, where = failure.complaint, failure.example, failure.where
    else:
        outcome = "passed" if reason is None else "unexpected pass"
        if reason is not None:
            complaint = f"it passes, although it was expected to fail: {reason}"
    return Result(check, outcome, complaint, example, reason or "", time.perf_counter() - started, where)


def reason_for(check: Check, expected: Mapping[str, str]) -> str | None:
    """Why a check is expected to fail; None if it is not."""
    return expected.get(str(check), expected.get(check.name))


def select(checks: Sequence[Check], names: Iterable[str]) -> list[Check]:
    """Those of the checks that `names` name, in their own order; UsageError, with a suggestion, for any other name.

    A check is named as `policy_is_deterministic`, or in full as `domain-hanoi-policy_is_deterministic`.
    """
    wanted = set(names)
    known = {name for check in checks for name in (check.name, str(check))}
    for name in sorted(wanted - known):
        raise UsageError(f"there is no check {name!r}", remedy=suggest(name, {check.name for check in checks}))
    return [check for check in checks if wanted & {check.name, str(check)}]
