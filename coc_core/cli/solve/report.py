"""How a run went, as a JSON document and as an exit code."""

from typing import Any

from attrs import asdict

from coc_core.api import Job
from coc_core.cli import console
from coc_core.cli.solve import show
from coc_core.cli.solve.record import ended_report
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, FAULT_KINDS, StepFault
from coc_core.plugin import Registry
from coc_core.runfile import RunFile
from coc_core.text import counted
from coc_core.types import Outcome


def report_ended(registry: Registry, runfile: RunFile, as_json: bool) -> int:
    """Say how a run ended that has nothing more to do."""
    outcome = runfile.outcome
    assert outcome is not None
    if as_json:
        console.document(ended_report(runfile, outcome))
    else:
        console.out().print(
            console.text(
                (outcome.status, "bold"),
                f"  {runfile.path} has ended already: {counted(outcome.steps, 'step')},"
                f" {counted(outcome.actions, 'action')}",
            ),
            soft_wrap=True,
        )
        for line in registry.report_lines(runfile.manifest.executor, outcome):
            console.details().print(console.text(f"  {line}"), soft_wrap=True)
        if (complaint := show.complaint_of(outcome)) is not None:
            console.out().print(console.text("  ", (complaint, "red")), soft_wrap=True)
    return exit_code(outcome)


def report(job: Job, outcome: Outcome) -> dict[str, Any]:
    """A run as a JSON document."""
    setting = job.setting
    return {
        "domain": setting.domain.name,
        "memory": setting.memory.name,
        "arith": setting.arithmetic.name,
        "executor": job.executor,
        "executor_used": job.runner.used,
        "remarks": list(job.runner.remarks),
        "model": job.model.describe(),
        "n": setting.domain.size(job.problem),
        "seed": job.seed,
        "problem": setting.domain.problems.format(job.problem),
        "outcome": outcome.status,
        "reason": outcome.reason or None,
        "fault": asdict(outcome.fault) if outcome.fault else None,
        "steps": outcome.steps,
        "actions": outcome.actions,
        "model_calls": outcome.model_calls,
        "arith_model": setting.arith_model.describe() if setting.arith_model else None,
        "arith_calls": setting.arith_model.calls if setting.arith_model else 0,
        "arith_mistakes": list(setting.arithmetic.mistakes),
        "seconds": round(outcome.seconds, 6),
        **outcome.report,
    }


def exit_code(outcome: Outcome) -> int:
    """The exit code for a run that ended like this."""
    if outcome.fault is not None:
        return FAULT_KINDS.get(outcome.fault.kind, StepFault).exit_code
    return {"solved": EXIT_SOLVED, "interrupted": EXIT_INTERRUPTED}.get(outcome.status, EXIT_NOT_SOLVED)
