"""What the commands say about a recorded run and the places in it."""

from pathlib import Path
from typing import Any

from coc_core.cli.solve.report import LONGEST
from coc_core.runfile import RunFile
from coc_core.text import escaped, quoted, shortened
from coc_view.recorded_run import RecordedRun

_LONGEST = 400  # characters of a part of the title


def place_name(run: RecordedRun, place: int) -> str:
    """Return where `place` is, in words."""
    if place > run.steps:
        return f"the fault at step {place:,}"
    return f"step {place:,} of {run.steps:,}"


def title(run: RecordedRun) -> str:
    """Return what was run, in one line."""
    manifest = run.runfile.manifest
    model = manifest.model or manifest.records["model"].get("description", "").partition(" (")[0]
    parts = (manifest.domain, manifest.problem, manifest.memory, manifest.arith, model)
    told = [quoted(part, _LONGEST)[1:-1] for part in parts]
    return " · ".join((told[0], shortened(told[1], LONGEST), *told[2:]))


def outcome_word(run: RecordedRun) -> str:
    """Return how a run ended, and whether that was verified. A fault never is, since it is what a model wrote."""
    outcome = run.runfile.outcome
    word = str(outcome.status if outcome else "unfinished")
    if outcome and outcome.reason:
        word += f" ({escaped(outcome.reason)})"
    return word if run.verified and run.fault is None else f"{word}, as recorded"


def reported(run: RecordedRun) -> list[str]:
    """Return what the executor reported, in a line; no line if it reported nothing."""
    return run.setting.registry.report_lines(run.runfile.manifest.executor, run.runfile.outcome)


def described(path: Path, runfile: RunFile) -> dict[str, Any]:
    """Return a run, as the beginning of a JSON document."""
    outcome = runfile.outcome
    return {
        "run": str(path),
        "steps": runfile.steps,
        "outcome": outcome.status if outcome else None,
        "reason": (outcome and outcome.reason) or None,
        **(outcome.report if outcome else {}),
    }
