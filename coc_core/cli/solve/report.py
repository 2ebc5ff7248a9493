"""How a run went, as a JSON document and as an exit code."""

from collections.abc import Iterable
from typing import Any

from attrs import asdict

from coc_core import runfile
from coc_core.api import Job
from coc_core.cli import console
from coc_core.cli.solve import show
from coc_core.domain import HasAnswer
from coc_core.errors import EXIT_INTERRUPTED, EXIT_NOT_SOLVED, EXIT_SOLVED, FAULT_KINDS, StepFault
from coc_core.models import Model
from coc_core.plugin import Registry
from coc_core.text import counted
from coc_core.types import Outcome


def report_ended(registry: Registry, recorded: "runfile.RunFile", as_json: bool) -> int:
    """Say how a run ended that has nothing more to do."""
    outcome = recorded.outcome
    assert outcome is not None
    if as_json:
        console.document(_ended(recorded, outcome))
    else:
        console.line(
            (outcome.status, "bold"),
            f"  {recorded.path} has ended already: {counted(outcome.steps, 'step')},"
            f" {counted(outcome.actions, 'action')}",
        )
        for line in registry.report_lines(recorded.manifest.executor, outcome):
            console.detail(f"  {line}")
        if (complaint := show.complaint_of(outcome)) is not None:
            console.line("  ", (complaint, "red"))
    return exit_code(outcome)


def report(job: Job, outcome: Outcome, state: Any) -> dict[str, Any]:
    """Return a run as a JSON document, from the state at its end."""
    setting = job.setting
    domain = setting.domain
    return {
        "domain": setting.domain.name,
        "memory": setting.memory.name,
        "arith": setting.arithmetic.name,
        "executor": job.runner.choice,
        "executor_used": job.runner.used,
        "remarks": list(job.runner.remarks),
        "model": job.model.describe(),
        "n": setting.domain.size(job.problem),
        "seed": job.seed,
        "problem": setting.domain.problems.format(job.problem),
        **({"answer": domain.answer(state)} if isinstance(domain, HasAnswer) else {}),
        **_how(outcome),
        "arith_model": setting.arith_model.describe() if setting.arith_model else None,
        "arith_calls": setting.arith_model.calls if setting.arith_model else 0,
        "arith_mistakes": list(setting.arithmetic.mistakes),
        "seconds": round(outcome.seconds, 6),
        **outcome.report,
    }


def _how(outcome: Outcome) -> dict[str, Any]:
    """Return how a run ended."""
    return {
        "outcome": outcome.status,
        "reason": outcome.reason or None,
        "fault": asdict(outcome.fault) if outcome.fault else None,
        "steps": outcome.steps,
        "actions": outcome.actions,
        "model_calls": outcome.model_calls,
    }


def saved(session: "runfile.Session") -> dict[str, Any]:
    """Return what the JSON document says of the run file; it must be closed by now."""
    with session.recording() as recorded:
        return {"save": str(recorded.path), "digest": recorded.digest(), "replayed": session.replayed}


def _ended(recorded: "runfile.RunFile", outcome: Outcome) -> dict[str, Any]:
    """Return a run that had ended already as a JSON document, like that of the run itself."""
    manifest = recorded.manifest
    names = ("domain", "memory", "arith", "executor", "n", "seed", "problem")
    return {
        **{name: getattr(manifest, name) for name in names},
        "model": manifest.records["model"].get("description"),
        **_how(outcome),
        "seconds": round(outcome.seconds, 6),
        **outcome.report,
        "save": str(recorded.path),
        "digest": recorded.digest(),
        "replayed": recorded.steps,
    }


def trained_sizes(model: Model, sizes: Iterable[int]) -> dict[str, Any]:
    """Return what a JSON document says of the sizes that a model was trained on: first and last, and those outside
    them.
    """
    trained = model.trained_sizes
    return {
        "trained_sizes": [trained[0], trained[-1]] if trained else None,
        "untrained_sizes": [n for n in sizes if n not in trained] if trained else None,
    }


def exit_code(outcome: Outcome) -> int:
    """Return the exit code for a run that ended like this."""
    if outcome.fault is not None:
        return FAULT_KINDS.get(outcome.fault.kind, StepFault).exit_code
    return {"solved": EXIT_SOLVED, "interrupted": EXIT_INTERRUPTED}.get(outcome.status, EXIT_NOT_SOLVED)
