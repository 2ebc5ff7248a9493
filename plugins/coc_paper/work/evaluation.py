"""Tasks that evaluate models."""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import coc_core as coc
from coc_paper.tasks import Done
from coc_paper.work.learning import CHECKPOINT


def evaluate(_: Path, needs: Mapping[str, Done], **choices: Any) -> Any:
    """Evaluate the checkpoint of the task `model`, or a shipped one, as `coc.evaluate` does.

    Gives rows and failures, and, of a checkpoint that was trained, the report of its training.
    """
    if trained := needs.get("model"):
        choices["model"] = str(trained.folder / CHECKPOINT)
    with warnings.catch_warnings():  # sizes beyond the training are evaluated on purpose
        warnings.filterwarnings("ignore", ".* is outside that range")
        report = coc.evaluate(**choices)
    failures = [{key: getattr(each, key) for key in ("n", "step", "kind", "problem")} for each in report.failures]
    return {"rows": report.rows, "failures": failures, "trained": trained and trained.result}
