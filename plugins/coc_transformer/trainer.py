"""`coc train` with this backend: tokenizer, model, training, measurement, checkpoint."""

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from itertools import chain

from attrs import evolve, frozen

from coc_core.checkpoint import CONFIG, Identity
from coc_core.errors import UsageError
from coc_core.folder import check_replaceable
from coc_core.training import Trainer, TrainingJob, TrainingProgress, TrainingReport
from coc_transformer import checkpoint
from coc_transformer.card import Result, card
from coc_transformer.data import Examples, tokenise
from coc_transformer.draws import Draws, families
from coc_transformer.fingerprint import Fingerprints
from coc_transformer.machine import Use, use
from coc_transformer.measure import measure
from coc_transformer.optimise import Learner
from coc_transformer.parallel import Ranks, ranks
from coc_transformer.presets import PRESETS, Preset, choose
from coc_transformer.snapshot import Progress, Working, working
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.tokens import MOST_DIALECTS
from coc_transformer.train import Task, train


class TransformerTrainer(Trainer):
    """Makes a checkpoint of this backend. Only the training pairs are seen by the tokenizer and the model.

    Under `torchrun` each process calls `train` with the same job. All of them get the report; the first one alone
    calls `report` and writes.
    """

    def presets(self) -> Mapping[str, str]:
        return {name: preset.summary for name, preset in PRESETS.items()}

    def train(self, job: TrainingJob, report: Callable[[TrainingProgress], None]) -> TrainingReport:
        preset = choose(job.preset, {"seed": str(job.seed), **job.overrides})
        _check(job)
        with ExitStack() as stack:
            processes = stack.enter_context(ranks())
            if preset.training.batch_size < processes.count:
                raise UsageError(
                    f"a batch of {preset.training.batch_size} can't be shared by {processes.count} processes",
                    remedy="start fewer of them",
                )
            prints, folder = processes.from_first(lambda: Fingerprints.of(job, preset)), None
            if processes.first:
                folder = processes.from_first
            raise NotImplementedError


@frozen
class _Prepared:
    """What is trained on."""

    tokenizer: TextTokenizer
    learned: Examples
    heldout: Examples


def _check(job: TrainingJob) -> None:
    """UsageError unless there is something to learn of each dialect."""
    dialects = [lessons.dialect for lessons in job.lessons]
    if not any(lessons.train for lessons in job.lessons):
        raise UsageError("there are no pairs to train on")
