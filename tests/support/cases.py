"""Plans with the verdict that a domain has to reach, and what it has to say of an illegal one."""

from typing import Any, Literal

from attrs import frozen

from coc_problems import optimum, validate


@frozen
class Case:
    """A problem, a plan, and its verdict. `reason` is a part of the message of an illegal one, `at` the action."""

    problem: Any
    plan: tuple[Any, ...]
    verdict: Literal["optimal", "suboptimal", "incomplete", "illegal"]
    reason: str = ""
    at: int | None = None


def check_case(domain, case):
    """The domain judges the plan as the case says."""
    found = validate(domain, case.problem, case.plan)
    verdict = found.verdict
    if verdict == "complete":
        verdict = "optimal" if found.moves == optimum(domain, case.problem) else "suboptimal"
    assert (verdict, found.at) == (case.verdict, case.at)
    assert case.reason in found.reason
