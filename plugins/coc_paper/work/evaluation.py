"""Tasks that evaluate models and compare checkpoints. Each function gives plain data."""

import warnings
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import coc_core as coc
from coc_core.plugin import CheckpointSpec, Registry
from coc_paper.work import CHECKPOINT, Done

WEIGHTS = "model.safetensors"


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


def same(_: Path, needs: Mapping[str, Done], checkpoint: str) -> Any:
    """How exact the checkpoint of the task `model` is, and whether its weights are those of one that ships."""
    registry, model = Registry.installed(), needs["model"]
    shipped = registry.folder(registry.find(CheckpointSpec, checkpoint))
    tests = [test for each in model.result["tested"].values() for test in each]
    return {
        "training": [model.result["train_exact"], model.result["train_pairs"]],
        "held-out": [model.result["heldout_exact"], model.result["heldout_pairs"]],
        "tested": [sum(test["exact"] for test in tests), sum(test["pairs"] for test in tests)],
        "same_weights": _sum(model.folder / CHECKPOINT) == _sum(shipped),
        "shipped_weights": _sum(shipped),
    }


def _sum(checkpoint: Path) -> str:
    return sha256((checkpoint / WEIGHTS).read_bytes()).hexdigest()
