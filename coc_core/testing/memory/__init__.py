"""Every check of a memory and of its convention, in the order in which their failures are best read."""

from collections.abc import Callable, Iterator

from coc_core.plugin import MemorySpec, Registry
from coc_core.testing.check import Check, bound
from coc_core.testing.memory import conventions, loops, windows
from coc_core.testing.memory.kept import Kept

CHECKS: tuple[Callable[[Kept], None], ...] = (
    windows.names_are_plain,
    windows.problems_are_solved,
    windows.runs_are_deterministic,
    windows.fetch_changes_nothing,
    windows.windows_are_a_copy,
    windows.pointer_is_the_next,
    windows.halting_agrees,
    windows.refused_writes_change_nothing,
    windows.windows_per_step_are_capped,
    windows.growth_is_capped,
    loops.rollback_restores_the_contents,
    loops.rollback_restores_the_verdict,
    loops.no_halting_run_repeats,
    loops.endless_runs_are_found,
    conventions.prompts_round_trip,
    conventions.targets_round_trip,
    conventions.malformed_targets_are_faults,
    conventions.coming_prompts_come,
    conventions.prompts_are_short,
)


def memory_checks(registry: Registry, name: str) -> Iterator[Check]:
    """The checks of the installed memory `name`; UsageError or PluginError if there is none."""
    registry.find(MemorySpec, name)
    subject = Kept(registry, name)
    for check in CHECKS:
        yield bound("memory", name, check, subject)
