"""Tasks that train and evaluate models. Each function gives plain data."""

import warnings
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any

from attrs import asdict

import coc_core as coc
from coc_core.errors import UsageError
from coc_core.plugin import CheckpointSpec, ModelSpec, Registry
from coc_learn.hyperparameters import override_texts
from coc_learn.trainer import Trainer
from coc_paper.tasks import Done

CHECKPOINT = "checkpoint"
WEIGHTS = "model.safetensors"


def train(folder: Path, needs: Mapping[str, Done], **choices: Any) -> Any:
    """Train a model as `coc.train` does, going on where a former attempt was cut off; gives the report.

    It starts from the checkpoint of the task `init`, if there is one.
    """
    out = folder / CHECKPOINT
    if "init" in needs:
        choices["init"] = needs["init"].folder / CHECKPOINT
    trained = coc.train(**choices, out=out, resume=out.with_name(f"{out.name}.training").exists())
    return asdict(trained.report)


def step_cost(folder: Path, needs: Mapping[str, Done], **choices: Any) -> Any:
    """How many seconds a step of a training takes, and with how many threads."""
    import torch

    report = train(folder, needs, **choices)
    rmtree(folder / CHECKPOINT)
    return {"seconds": report["seconds"] / report["steps"], "threads": torch.get_num_threads()}


def hyperparameters(
    _: Path, __: Mapping[str, Done], backend: str, preset: str, hyperparameters: Mapping[str, object]
) -> Any:
    """All hyperparameters of a training with a backend, as `all_hyperparameters`."""
    return all_hyperparameters(backend, preset, hyperparameters)


def all_hyperparameters(backend: str, preset: str, changes: Mapping[str, object]) -> Mapping[str, Any]:
    """All hyperparameters of a training with a preset and some changes; UsageError if there is no such training."""
    return _trainer(backend).hyperparameters(preset, override_texts(changes, "hyperparameters"))


@cache
def _trainer(backend: str) -> Trainer:
    registry = Registry.installed()
    spec = registry.find(ModelSpec, backend)
    if spec.trainer is None:
        raise UsageError(f"the model {backend!r} can't be trained")
    trainer: Trainer = registry.make(spec, spec.trainer)
    return trainer


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
    }


def _sum(checkpoint: Path) -> str:
    return sha256((checkpoint / WEIGHTS).read_bytes()).hexdigest()
