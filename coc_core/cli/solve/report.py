"""How a run went, as a JSON document and as an exit code."""

import json
from typing import Any

import typer
from attrs import asdict
from rich.markup import escape

from coc_core.cli import console
from coc_core.cli.solve import show
from coc_core.cli.solve.record import Resumption, ended_report
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, FAULT_KINDS, StepFault
from coc_core.execution import Executor
from coc_core.setting import Setting
from coc_core.text import counted
from coc_core.types import Outcome


def report_ended(resumed: Resumption, as_json: bool) -> int:
    """Say how a run ended that has nothing more to do."""
    outcome = resumed.runfile.outcome
    assert outcome is not None
    if as_json:
        typer.echo(json.dumps(ended_report(resumed, outcome)))
    else:
        console.out().print(
            f"[bold]{outcome.status}[/]  {escape(str(resumed.runfile.path))} has ended already:"
            f" {counted(outcome.steps, 'step')}, {counted(outcome.actions, 'action')}",
            soft_wrap=True,
        )
        if outcome.fault is not None:
            console.out().print(f"  [red]{escape(show.fault_line(outcome.fault))}[/]", soft_wrap=True)
    return exit_code(outcome)


def report(
    setting: Setting, problem: Any, seed: int, executor: Executor, model: str, outcome: Outcome
) -> dict[str, Any]:
    """A run as a JSON document."""
    return {
        "domain": setting.domain.name,
        "memory": setting.memory.name,
        "arith": setting.arithmetic.name,
        "executor": executor.name,
        "executor_used": executor.used,
        "model": model,
        "n": setting.domain.size(problem),
        "seed": seed,
        "problem": setting.domain.problems.format(problem),
        "outcome": outcome.status,
        "fault": asdict(outcome.fault) if outcome.fault else None,
        "steps": outcome.steps,
        "actions": outcome.actions,
        "model_calls": outcome.model_calls,
        "arith_model": setting.arith_model.describe() if setting.arith_model else None,
        "arith_calls": setting.arith_model.calls if setting.arith_model else 0,
        "arith_mistakes": list(setting.arithmetic.mistakes),
        "seconds": round(outcome.seconds, 6),
    }


def exit_code(outcome: Outcome) -> int:
    """The exit code for a run that ended like this."""
    if outcome.fault is not None:
        return FAULT_KINDS.get(outcome.fault.kind, StepFault).exit_code
    return {"solved": EXIT_SOLVED, "interrupted": EXIT_INTERRUPTED}.get(outcome.status, EXIT_NOT_SOLVED)
