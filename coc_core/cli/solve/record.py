"""`coc run --save` and `--resume`: what the command line adds to the run file."""

from typing import Any

from attrs import asdict

from coc_core.runfile import RunFile, Session
from coc_core.types import Outcome


def saved(session: Session) -> dict[str, Any]:
    """What the JSON document says of the run file; it must be closed by now."""
    with session.recording() as runfile:
        return {"save": str(runfile.path), "digest": runfile.digest(), "replayed": session.replayed}


def ended_report(runfile: RunFile, outcome: Outcome) -> dict[str, Any]:
    """A run that had ended already as a JSON document, like that of the run itself."""
    manifest = runfile.manifest
    names = ("domain", "memory", "arith", "executor", "n", "seed", "problem")
    return {
        **{name: getattr(manifest, name) for name in names},
        "model": manifest.records["model"].get("description"),
        "outcome": outcome.status,
        "reason": outcome.reason or None,
        "fault": asdict(outcome.fault) if outcome.fault else None,
        "steps": outcome.steps,
        "actions": outcome.actions,
        "model_calls": outcome.model_calls,
        "seconds": round(outcome.seconds, 6),
        **outcome.report,
        "save": str(runfile.path),
        "digest": runfile.digest(),
        "replayed": runfile.steps,
    }
