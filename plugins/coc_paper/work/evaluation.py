"""Tasks that evaluate models."""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import coc_core as coc
from coc_paper.work import CHECKPOINT, Done


def evaluate(_: Path, needs: Mapping[str, Done], **choices: Any) -> Any:
    """Evaluate the checkpoint of the task `model`, or a shipped one, as `coc.evaluate` does.

    Gives rows and failures, and, of a checkpoint that was trained, the report of its training.
    """
    if "model" in needs:
        choices["model"] = str(needs["model"].folder / CHECKPOINT)
    with warnings.catch_warnings():  # sizes beyond the training are evaluated on purpose
        warnings.filterwarnings("ignore", ".* is outside that range")
        report = coc.evaluate(**choices)
    failures = [
        {"n": failure.n, "step": failure.step, "kind": failure.kind, "problem": failure.problem}
        for failure in report.failures
    ]
    trained = needs["model"].result if "model" in needs else None
    return {"rows": report.rows, "failures": failures, "trained": trained}
