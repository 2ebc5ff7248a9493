"""Every check of an arithmetic, in the order in which their failures are best read."""

from collections.abc import Callable, Iterator

from coc_core.plugin import Registry
from coc_core.testing.arithmetic import sums
from coc_core.testing.arithmetic.reckoning import Reckoning
from coc_core.testing.check import Check, bound

CHECKS: tuple[Callable[[Reckoning], None], ...] = (
    sums.numbers_are_right,
    sums.numbers_stay,
    sums.what_is_asked_stays,
    sums.malformed_expressions_are_faults,
    sums.no_mistake_is_claimed,
    sums.runs_are_those_of_exact_sums,
)


def arithmetic_checks(registry: Registry, name: str) -> Iterator[Check]:
    """The checks of the installed arithmetic `name`.

    UsageError or PluginError if there is none, or if it asks a model and none ships that could be tried.
    """
    subject = Reckoning(registry, name)
    for check in CHECKS:
        yield bound("arithmetic", name, check, subject)
