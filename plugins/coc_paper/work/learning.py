"""Tasks that train models, and what they take."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from shutil import rmtree
from typing import Any

from attrs import asdict

import coc_core as coc
from coc_core.plugin import ModelSpec, Registry
from coc_learn.options import TrainOptions, override_texts
from coc_learn.train import Training
from coc_learn.trainer import Trainer
from coc_paper.tasks import Done

CHECKPOINT = "checkpoint"  # the folder of the model, in that of the training's task


def train(folder: Path, _: Mapping[str, Done], **choices: Any) -> Any:
    """Train a model as `coc.train` does, going on where a former attempt was cut off; return the report."""
    resume = (folder / f"{CHECKPOINT}.training").exists()
    return asdict(coc.train(**choices, out=folder / CHECKPOINT, resume=resume).report)


def rate(folder: Path, _: Mapping[str, Done], limit: float, hyperparameters: Mapping[str, Any], **choices: Any) -> Any:
    """Return the seconds of a step of a training: the mean of the first of 1, 4, 16, … that take `limit` seconds."""
    import torch  # takes seconds

    sets: Any = None
    steps = 1
    while True:
        changes = {**hyperparameters, "steps": steps, "final_pairs": 20}
        options = TrainOptions(**choices, hyperparameters=changes, out=folder / CHECKPOINT)
        training = Training.of(Registry.installed(), options)
        sets = sets or training.pairs.sets()
        report = training.train(sets)
        rmtree(folder / CHECKPOINT)
        if report.seconds >= limit:
            return {"seconds": report.seconds / report.steps, "steps": report.steps, "threads": torch.get_num_threads()}
        steps *= 4


def hyperparameters(
    _: Any, __: Mapping[str, Done], model: str, preset: str, hyperparameters: Mapping[str, object]
) -> Mapping[str, Any]:
    """Return all hyperparameters of a training, and how many parameters it has; UsageError if there is none."""
    return _trainer(model).hyperparameters(preset, override_texts(hyperparameters, "hyperparameters"))


@cache
def _trainer(backend: str) -> Trainer:
    registry = Registry.installed()
    spec = registry.find(ModelSpec, backend)
    trainer: Trainer = registry.make(spec, str(spec.trainer))
    return trainer
