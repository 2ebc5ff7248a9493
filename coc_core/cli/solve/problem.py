"""The problem that the options ask for, and whether a run of it can be short enough."""

from typing import Any

from coc_core.cli import options
from coc_core.domain import read_problem
from coc_core.errors import UsageError
from coc_core.setting import Setting
from coc_core.text import counted


def choose_problem(setting: Setting, n: int | None, seed: int, source: str | None) -> Any:
    """The problem that the options ask for."""
    if source is None:
        return setting.domain.problem(options.DEFAULT_SIZE if n is None else n, seed)
    if n is not None:
        raise UsageError("--n and --problem both choose the problem", remedy="give one of them")
    return read_problem(setting.domain, source)


def check_length(setting: Setting, problem: Any) -> None:
    """UsageError for a run that is known to need more steps than its limit."""
    expected = setting.domain.expect(problem)
    if expected is not None and expected.steps > setting.limits.steps:
        raise UsageError(
            f"this problem takes {counted(expected.steps, 'step')}, the limit is {setting.limits.steps:,}",
            remedy="choose a smaller n, or raise --max-steps",
        )
