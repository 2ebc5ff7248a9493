"""`coc train` with this backend: tokenizer, model, training, measurement, checkpoint."""

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from itertools import chain

import numpy as np
from attrs import evolve

from coc_core.errors import UsageError
from coc_core.models import CONFIG, Identity, Trainer, TrainingJob, TrainingProgress, TrainingReport
from coc_core.storage import check_replaceable
from coc_transformer.batches import (
    BatchSampler,
    Curriculum,
    NamePermutation,
    PrioritisedReplay,
    bucket_families,
    tokenise,
)
from coc_transformer.model import ModelConfig, checkpoint, to_json
from coc_transformer.snapshots import METRICS, Progress, WorkingFolder, working_folder
from coc_transformer.tokenizer import MOST_DIALECTS, TextTokenizer
from coc_transformer.training.card import DialectResult, card
from coc_transformer.training.fingerprint import Fingerprints
from coc_transformer.training.hardware import Hardware, hardware
from coc_transformer.training.loop import Task, train
from coc_transformer.training.measure import measure, sample
from coc_transformer.training.optimise import Learner
from coc_transformer.training.presets import PRESETS, Preset, choose
from coc_transformer.training.processes import Ranks, ranks
from coc_transformer.training.start import initial_checkpoint


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
        with ranks() as processes:
            least = preset.training.batch_size - int(preset.training.prioritised_replay * preset.training.batch_size)
            if least < processes.count:
                raise UsageError(
                    f"a batch of {least} pairs can't be shared by {processes.count} processes",
                    remedy="start fewer of them",
                )
            return _train(job, preset, processes, report)


def _check(job: TrainingJob) -> None:
    """UsageError unless there is something to learn of each of the dialects."""
    dialects = [training_sets.dialect for training_sets in job.training_sets]
    if not job.training_sets or not all(training_sets.train for training_sets in job.training_sets):
        of = next(
            (f" in {training_sets.dialect}" for training_sets in job.training_sets if not training_sets.train), ""
        )
        raise UsageError(f"there are no pairs to train on{of}")
    if len(set(dialects)) < len(dialects):
        raise UsageError(f"a dialect comes twice: {', '.join(dialects)}", remedy="put its pairs together")
    if len(dialects) > MOST_DIALECTS:
        raise UsageError(f"{len(dialects)} dialects are more than the {MOST_DIALECTS} that one model can learn")


def _train(
    job: TrainingJob, preset: Preset, processes: Ranks, report: Callable[[TrainingProgress], None]
) -> TrainingReport:
    folder: WorkingFolder | None = None
    start = initial_checkpoint(job, preset)
    fingerprints = processes.from_first(lambda: Fingerprints.of(job, preset, start.fingerprint if start else None))
    with ExitStack() as stack:

        def prepare() -> None:
            nonlocal folder
            check_replaceable(job.out, marker=CONFIG)  # now, not after hours of training
            folder = stack.enter_context(working_folder(job.out, fingerprints.job, resume=job.resume))

        processes.from_first(prepare)
        tokenizer = start.tokenizer if start else _tokenizer(job, preset, processes)
        preset = evolve(preset, model=_sized(preset.model, tokenizer))
        chosen = stack.enter_context(hardware(processes.device, preset.model, preset.training))
        dialects = start.dialects if start else tuple(training_sets.dialect for training_sets in job.training_sets)
        task = _task(job, dialects, preset, tokenizer, processes, chosen, folder, report)
        weights = start.model.state_dict() if start else None
        learner = Learner.new(preset.model, preset.training, tokenizer.kinds(), processes.device, weights)
        progress = train(task, learner, _resumed(task, learner))
        results = _measured(job, fingerprints, task, learner)
        total = TrainingReport(
            parameters=learner.model.parameter_count(),
            steps=progress.step,
            seconds=progress.seconds,
            train_exact=sum(result.learned.exact for result in results),
            train_pairs=sum(result.learned.pairs for result in results),
            heldout_exact=sum(result.heldout.exact for result in results),
            heldout_pairs=sum(result.heldout.pairs for result in results),
        )

        def finish() -> None:
            assert folder is not None
            training = evolve(preset.training, precision=chosen.precision)
            shipped = learner.shipped.cpu()
            files = checkpoint.contents(Identity(job.backend, dialects), shipped, to_json(training), tokenizer)
            files[METRICS] = folder.thinned()
            sizes = {name: len(data) for name, data in files.items()}
            text = card(job, preset.model, training, total, results, str(chosen), processes.count, sizes, start)
            checkpoint.save(job.out, files, text)
            folder.remove()

        processes.from_first(finish)
    return total


def _tokenizer(job: TrainingJob, preset: Preset, processes: Ranks) -> TextTokenizer:
    """The tokenizer of the training pairs, which is read from its file's text as it will be later."""
    training = preset.training

    def trained() -> bytes:
        pairs = chain.from_iterable(training_sets.train for training_sets in job.training_sets)
        return TextTokenizer.train(
            pairs, preset.model.vocab, training.min_frequency, tokens=training.tokens, dialects=len(job.training_sets)
        ).to_json()

    return TextTokenizer.from_json(processes.from_first(trained), checkpoint.TOKENIZER)


def _sized(model: ModelConfig, tokenizer: TextTokenizer) -> ModelConfig:
    """The model with the vocabulary that there is; UsageError if it can't have it."""
    try:
        return evolve(model, vocab=tokenizer.size)
    except ValueError as error:
        raise UsageError(f"no model can be made for the tokens of these pairs: {error.args[0]}") from None


def _task(
    job: TrainingJob,
    dialects: tuple[str, ...],
    preset: Preset,
    tokenizer: TextTokenizer,
    processes: Ranks,
    chosen: Hardware,
    folder: WorkingFolder | None,
    report: Callable[[TrainingProgress], None],
) -> Task:
    config, most = preset.training, preset.model.max_len
    numbered = {dialects.index(training_sets.dialect): training_sets for training_sets in job.training_sets}
    learned = tokenise({number: training_sets.train for number, training_sets in numbered.items()}, tokenizer, most)
    heldout = tokenise({number: training_sets.heldout for number, training_sets in numbered.items()}, tokenizer, most)
    kinds = bucket_families([training_sets.train for training_sets in job.training_sets]) if config.bucket_share else ()
    again = int(config.prioritised_replay * config.batch_size)
    steps = min(config.steps, config.epochs * math.ceil(len(learned) / config.batch_size))
    return Task(
        config,
        steps,
        learned,
        heldout,
        BatchSampler(len(learned), config.batch_size - again, config.bucket_share, config.seed, kinds),
        PrioritisedReplay(len(learned), again, config.seed),
        BatchSampler(len(learned), config.loss_probes, 0.0, config.seed + 1),
        _name_permutation(preset, tokenizer) if config.name_permutation else None,
        Curriculum.of(learned.lengths, config.curriculum * steps),
        processes,
        chosen,
        folder,
        report,
    )


def _name_permutation(preset: Preset, tokenizer: TextTokenizer) -> NamePermutation:
    kinds = [np.array(kind) for kind in tokenizer.names()]
    return NamePermutation(kinds, preset.model.vocab, preset.training.name_permutation, preset.training.seed)


def _resumed(task: Task, learner: Learner) -> Progress:
    """How far the training has come that the working folder holds; the learner, in each process, becomes its."""

    def load() -> Progress:
        assert task.working_folder is not None
        found = task.working_folder.load(task.tensors(learner), task.steps)
        task.working_folder.begin()
        if found is None:
            return Progress()
        progress, tensors = found
        for name, tensor in task.tensors(learner).items():
            tensor.copy_(tensors[name])
        return progress

    progress = task.ranks.from_first(load)
    if progress.step:
        task.ranks.copy_from_first(list(task.tensors(learner).values()))
        learner.after(progress.step)
    return progress


def _measured(job: TrainingJob, fingerprints: Fingerprints, task: Task, learner: Learner) -> list[DialectResult]:
    """What came of each dialect: its pairs, or a sample of them, answered with the weights that are shipped."""
    most, rng = task.config.final_pairs or len(task.learned) + len(task.heldout), np.random.default_rng(job.seed)
    results = []
    for training_sets, sums, *halves in zip(
        job.training_sets, fingerprints.pairs, task.learned.dialects(), task.heldout.dialects(), strict=True
    ):
        learned, heldout = (
            measure(learner.shipped, examples, sample(rows, most, rng), task.ranks, task.hardware.costs)
            for examples, rows in zip((task.learned, task.heldout), halves, strict=True)
        )
        results.append(DialectResult(training_sets.dialect, training_sets.source, learned, heldout, *sums))
    return results
