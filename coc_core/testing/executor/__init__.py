"""Every check of an executor, in the order in which their failures are best read."""

from collections.abc import Callable, Iterator

from coc_core.plugin import ExecutorSpec, Registry
from coc_core.testing.check import Check, bound
from coc_core.testing.executor import stops, together
from coc_core.testing.executor.driven import Driven

CHECKS: tuple[Callable[[Driven], None], ...] = (
    together.no_machines_no_outcomes,
    together.right_answers_solve,
    together.wrong_answers_end_alike,
    together.runs_are_not_mixed,
    together.outcomes_are_in_order,
    together.each_machine_comes_out_once,
    together.each_step_is_heard_once,
    together.it_can_be_used_again,
    together.calls_are_counted,
    together.moods_are_respected,
    stops.refused_steps_change_nothing,
    stops.a_fault_ends_one_run,
    stops.limits_hold,
    stops.endless_runs_end,
    stops.broken_models_are_reported,
    stops.interruptions_leave_whole_steps,
    stops.requests_to_stop_are_heard,
    stops.runs_go_on_from_where_they_are,
)


def executor_checks(registry: Registry, name: str) -> Iterator[Check]:
    """The checks of the installed executor `name`; UsageError or PluginError if there is none."""
    registry.find(ExecutorSpec, name)
    subject = Driven(registry, name)
    for check in CHECKS:
        yield bound("executor", name, check, subject)
