"""`coc train` with this backend: tokenizer, model, training, measurement, checkpoint."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain
from typing import Any

import numpy as np
from attrs import asdict, evolve

from coc_core.errors import UsageError
from coc_core.models import CONFIG, Identity, SizeResult
from coc_core.storage import check_replaceable
from coc_core.text import counted
from coc_learn.division import DividedSet, divide
from coc_learn.metrics import METRICS
from coc_learn.trainer import Trainer, TrainingJob, TrainingProgress, TrainingReport
from coc_transformer.causal import PREFIX, CausalArchitecture, CausalConfig, as_folder, check_tokens, check_writes
from coc_transformer.files import ModelConfig, checkpoint, to_json
from coc_transformer.model import tensor_contents
from coc_transformer.network import Architecture, MadeConfig, check_network, keys_of, named_network
from coc_transformer.snapshots import (
    Progress,
    Stretch,
    WorkingFolder,
    check_event_log,
    check_working_folder,
    working_folder,
)
from coc_transformer.tokenizer import MOST_DIALECTS, TextTokenizer
from coc_transformer.training.card import DialectResult, Trained, card
from coc_transformer.training.hardware import hardware
from coc_transformer.training.hyperparameters import Hyperparameters
from coc_transformer.training.job import Fingerprints, InitialCheckpoint, initial_checkpoint
from coc_transformer.training.length import extended, planned, warmed_up_from
from coc_transformer.training.loop import train
from coc_transformer.training.measure import measure, sample
from coc_transformer.training.optimise import CLIP, Learner
from coc_transformer.training.presets import SUMMARIES, choose
from coc_transformer.training.processes import Ranks, ranks
from coc_transformer.training.task import Task, interchangeable_names


class TransformerTrainer(Trainer):
    """Trains checkpoints of this backend. The tokenizer and the model are trained on the training pairs only.

    Under `torchrun` each process calls `train` with the same job. All of them return the report; only the first one
    calls `report` and writes.

    Args:
        network: The network of an installed plugin, as `--network` takes it, which is trained unless a job has another.
    """

    writes_event_log = True

    takes_network = True

    def __init__(self, network: str | None = None) -> None:
        self._network = network

    def presets(self) -> Mapping[str, str]:
        return SUMMARIES

    def hyperparameters(self, preset: str, overrides: Mapping[str, str]) -> Mapping[str, Any]:
        chosen = choose(preset, overrides)
        derived = {"clip": CLIP, "eval_interval": chosen.eval_interval, "parameters": chosen.model.parameters()}
        return {**asdict(chosen.decoder(chosen.vocab)), **chosen.stated(), **derived}

    def check(self, job: TrainingJob) -> None:
        config = self._chosen(job)
        if config.architecture is not None and isinstance(config.model, MadeConfig):
            check_network(config.architecture.name, config.model)
        if isinstance(config.architecture, CausalArchitecture):
            check_tokens(config.architecture.tokenizer(config.own), config.tokens)
        if job.tensorboard is not None:
            check_event_log(job.tensorboard, resume=job.resume)
        check_replaceable(job.out, marker=CONFIG)
        check_working_folder(job.out, resume=job.resume)
        planned(job, config)

    def train(self, job: TrainingJob, report: Callable[[TrainingProgress], None]) -> TrainingReport:
        config = self._chosen(job)
        if config.architecture is not None and job.network is not None:
            job = evolve(job, backend=config.architecture.backend)
        _check(job)
        with ranks() as processes:
            fewest = config.batch_size - int(config.prioritised_replay * config.batch_size)
            if fewest < processes.count:
                raise UsageError(
                    f"a batch of {fewest} pairs can't be shared by {processes.count} processes",
                    remedy="start fewer of them",
                )
            return _train(job, config, processes, report)

    def _chosen(self, job: TrainingJob) -> Hyperparameters:
        network = self._network if job.network is None else job.network
        return choose(job.preset, job.overrides, job.seed, None if network is None else _architecture(network))


def _architecture(network: Any) -> Architecture:
    """What `--network` names."""
    if isinstance(network, str) and network.startswith(PREFIX):
        return CausalArchitecture.of(network.removeprefix(PREFIX))
    return named_network(network)


def _check(job: TrainingJob) -> None:
    """Raise UsageError unless there are training pairs for each dialect, and each dialect is named once."""
    dialects = [each.dialect for each in job.training_sets]
    if not job.training_sets or not all(each.train for each in job.training_sets):
        of = next((f" in {each.dialect}" for each in job.training_sets if not each.train), "")
        raise UsageError(f"there are no pairs to train on{of}")
    if len(set(dialects)) < len(dialects):
        raise UsageError(f"a dialect comes twice: {', '.join(dialects)}", remedy="put its pairs together")
    if len(dialects) > MOST_DIALECTS:
        raise UsageError(f"{len(dialects)} dialects are more than the {MOST_DIALECTS} that one model can learn")


def _train(
    job: TrainingJob, config: Hyperparameters, processes: Ranks, report: Callable[[TrainingProgress], None]
) -> TrainingReport:
    folder: WorkingFolder | None = None
    further = job.init is not None or (config.architecture is not None and config.architecture.pretrained)
    stretches = processes.from_first(lambda: planned(job, config))
    if any(each.renewed for each in stretches):
        job = evolve(job, init=job.out)
    initial = initial_checkpoint(job, config)
    divided = divide(job.training_sets, further=further)
    job = evolve(job, training_sets=[each.training_set for each in divided])
    first = evolve(config, steps=stretches[0].steps)
    sums = processes.from_first(lambda: Fingerprints.of(job, first, initial.fingerprint if initial else None))
    if stretches[-1].renewed and initial and not all(sum in initial.card for pair in sums.pairs for sum in pair):
        raise UsageError(f"{job.out} was trained on other pairs", remedy="train anew without --resume, or with --init")
    with ExitStack() as stack:

        def prepare() -> None:
            nonlocal folder
            check_replaceable(job.out, marker=CONFIG)  # now, not after hours of training
            folder = stack.enter_context(
                working_folder(job.out, sums.job, resume=job.resume, tensorboard=job.tensorboard)
            )

        processes.from_first(prepare)
        tokenizer = initial.tokenizer if initial else _own_tokens(config, job) or _tokenizer(job, config, processes)
        model = _sized(config, tokenizer)
        if isinstance(model, CausalConfig):
            check_tokens(tokenizer, config.tokens, len(job.training_sets))
        chosen = stack.enter_context(hardware(processes.device, model, config.precision))
        identity = _identity(job, initial)
        task = Task.of(job, identity.dialects, config, tokenizer, processes, chosen, folder, report)
        weights = initial.model.saved() if initial else None
        learner = Learner.new(model, config, tokenizer.kinds(), processes.device, weights)
        begun, stretches = _resumed(task, learner, stretches)
        task = evolve(task, warmed_up_from=warmed_up_from(stretches))
        progress = train(task, learner, begun)
        results = _measured(divided, sums, task, learner, job.seed)
        identity = evolve(identity, tested=_tested(job, task, learner))
        total = TrainingReport(
            parameters=learner.model.parameter_count(),
            steps=progress.step,
            seconds=progress.seconds,
            train_exact=sum(result.train.exact for result in results),
            train_pairs=sum(result.train.pairs for result in results),
            heldout_exact=sum(result.heldout.exact for result in results),
            heldout_pairs=sum(result.heldout.pairs for result in results),
            known=sum(each.known for each in divided),
            complete=not further,
            tested=identity.tested,
        )

        def save() -> None:
            assert folder is not None
            training = evolve(config, precision=chosen.precision)
            tensors = tensor_contents(learner.shipped.saved())
            files = checkpoint.contents(identity, _keys(config, model), tensors, training.stated(), tokenizer)
            if isinstance(model, CausalConfig):
                files = as_folder(files, model, tokenizer)
            files[METRICS] = folder.thinned()
            file_sizes = {name: len(data) for name, data in files.items()}
            machine = f"{chosen}, {processes.count} processes" if processes.count > 1 else str(chosen)
            text = card(
                job, Trained(identity, model, training, total, results), machine, file_sizes, initial, stretches
            )
            checkpoint.save(job.out, files, text)
            folder.remove()

        processes.from_first(save)
    return total


def _identity(job: TrainingJob, initial: InitialCheckpoint | None) -> Identity:
    """The dialects of the new checkpoint, and the sizes of each in the last training that included it."""
    dialects = initial.identity.dialects if initial else tuple(each.dialect for each in job.training_sets)
    sizes = dict(initial.identity.sizes) if initial else {}
    for each in job.training_sets:
        sizes.pop(each.dialect, None)
        if each.sizes is not None:
            sizes[each.dialect] = each.sizes
    ordered = {dialect: sizes[dialect] for dialect in dialects if dialect in sizes}
    return Identity(job.backend, dialects, ordered)


def _own_tokens(config: Hyperparameters, job: TrainingJob) -> TextTokenizer | None:
    """The tokenizer of a pretrained network, which must be able to write the pairs; None if coc trains one."""
    if not isinstance(config.architecture, CausalArchitecture):
        return None
    tokenizer = config.architecture.tokenizer(config.own)
    if tokenizer is not None:
        check_writes(tokenizer, (pair for each in job.training_sets for pair in each.train))
    return tokenizer


def _tokenizer(job: TrainingJob, config: Hyperparameters, processes: Ranks) -> TextTokenizer:
    """The tokenizer of the training pairs, read from the contents of its file, as it will be later."""

    def trained() -> bytes:
        pairs = chain.from_iterable(each.train for each in job.training_sets)
        dialects = len(job.training_sets)
        return TextTokenizer.train(
            pairs,
            config.vocab,
            config.min_frequency,
            tokens=config.tokens,
            dialects=dialects,
            name_pool=[
                f"{letters}{number}"
                for letters in sorted(interchangeable_names(job.training_sets))
                for number in range(1, config.name_pool + 1)
            ],
        ).to_json()

    return TextTokenizer.from_json(processes.from_first(trained), checkpoint.TOKENIZER)


def _keys(config: Hyperparameters, model: ModelConfig | MadeConfig) -> Mapping[str, Any]:
    """What `config.json` says of a network."""
    if config.architecture is not None and isinstance(model, MadeConfig):
        return keys_of(config.architecture, model)
    assert isinstance(model, ModelConfig)
    return {"model": to_json(model)}


def _sized(config: Hyperparameters, tokenizer: TextTokenizer) -> ModelConfig | MadeConfig:
    """What the network is made from, with the size of the vocabulary; UsageError if that is not allowed."""
    try:
        return config.made(tokenizer.size)
    except ValueError as error:
        raise UsageError(f"no model can be made for the tokens of these pairs: {error.args[0]}") from None


def _resumed(task: Task, learner: Learner, stretches: tuple[Stretch, ...]) -> tuple[Progress, tuple[Stretch, ...]]:
    """The progress of the latest snapshot, and the stretches with what is left of the training.

    In each process the learner gets the state of that snapshot.
    """

    def load() -> tuple[Progress, bool, tuple[Stretch, ...]]:
        folder, steps = task.working_folder, task.config.steps
        assert folder is not None
        progress = folder.load(task.tensors(learner), task.steps)
        if not folder.stored:
            progress = Progress(stretches[-1].after)
        folder.stretches = extended(stretches, progress.step, steps)
        if stretches[0].steps < steps and len(folder.stretches) > 1 and progress.step >= task.steps:
            raise UsageError(
                f"the training ends after {counted(task.config.epochs, 'pass', 'passes')} over its pairs, at step"
                f" {task.steps:,}, so it can't be longer",
                remedy="choose another preset",
            )
        folder.begin()
        return progress, folder.stored, folder.stretches

    progress, stored, stretches = task.ranks.from_first(load)
    if stored:
        task.ranks.copy_from_first(list(task.tensors(learner).values()))
        learner.after(progress.step - warmed_up_from(stretches))
    return progress, stretches


def _measured(
    sets: Sequence[DividedSet], sums: Fingerprints, task: Task, learner: Learner, seed: int
) -> list[DialectResult]:
    """Measure the pairs of each dialect, or a sample of them, with the weights that are saved."""
    most, rng = task.config.final_pairs or len(task.train) + len(task.heldout), np.random.default_rng(seed)
    results = []
    for each, sha256, *halves in zip(sets, sums.pairs, task.train.dialects(), task.heldout.dialects(), strict=True):
        train, heldout = (
            measure(learner.shipped, examples, sample(rows, most, rng), task.ranks, task.hardware.costs)
            for examples, rows in zip((task.train, task.heldout), halves, strict=True)
        )
        results.append(DialectResult(each, train, heldout, *sha256))
    return results


def _tested(job: TrainingJob, task: Task, learner: Learner) -> dict[str, list[SizeResult]]:
    """The results of the tests of each dialect that has any."""
    found = {}
    for each, tests in zip(job.training_sets, task.tests, strict=True):
        measured = [
            measure(learner.shipped, test, np.arange(len(test)), task.ranks, task.hardware.costs) for test in tests
        ]
        results = [
            SizeResult(test.n, test.problems, result.pairs, result.exact)
            for test, result in zip(each.tests, measured, strict=True)
        ]
        if results:
            found[each.dialect] = results
    return found
