"""`coc train` with this backend: tokenizer, model, training, measurement, checkpoint."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from attrs import asdict, evolve

from coc_core.errors import UsageError
from coc_core.models import CONFIG, Identity, SizeResult
from coc_core.storage import check_replaceable
from coc_learn.division import divide
from coc_learn.trainer import METRICS, Trainer, TrainingJob, TrainingProgress, TrainingReport, TrainingSet
from coc_transformer.causal import PREFIX, CausalArchitecture, CausalConfig, as_folder, check_tokens, check_writes
from coc_transformer.files import ModelConfig, checkpoint, to_json
from coc_transformer.model import tensor_contents
from coc_transformer.network import Architecture, MadeConfig, check_network, named_network
from coc_transformer.snapshots import check_event_log, check_working_folder, working_folder
from coc_transformer.tokenizer import MOST_DIALECTS, TextTokenizer
from coc_transformer.training.card import DialectResult, Trained, card
from coc_transformer.training.hardware import hardware, training_device
from coc_transformer.training.hyperparameters import Hyperparameters
from coc_transformer.training.job import Fingerprints, InitialCheckpoint, initial_checkpoint
from coc_transformer.training.loop import train
from coc_transformer.training.measure import measure, sample
from coc_transformer.training.optimise import CLIP, Learner
from coc_transformer.training.presets import SUMMARIES, choose
from coc_transformer.training.task import Task, interchangeable_names


class TransformerTrainer(Trainer):
    """Trains checkpoints of this backend, tokenizer and model on the training pairs only. `network`, as `--network`
    takes it, is an installed plugin's, which is trained unless a job has another.
    """

    writes_event_log = takes_network = True

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
        if job.tensorboard is not None and not job.resume:
            check_event_log(job.tensorboard)
        check_replaceable(job.out, marker=CONFIG)
        check_working_folder(job.out, resume=job.resume)

    def train(self, job: TrainingJob, report: Callable[[TrainingProgress], None]) -> TrainingReport:
        config = self._chosen(job)
        if config.architecture is not None and job.network is not None:
            job = evolve(job, backend=config.architecture.backend)
        _check(job)
        return _train(job, config, report)

    def _chosen(self, job: TrainingJob) -> Hyperparameters:
        network: Any = self._network if job.network is None else job.network
        chosen: Architecture | None = None
        if isinstance(network, str) and network.startswith(PREFIX):
            chosen = CausalArchitecture.of(network.removeprefix(PREFIX))
        elif network is not None:
            chosen = named_network(network)
        return choose(job.preset, job.overrides, job.seed, chosen)


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


def _train(job: TrainingJob, config: Hyperparameters, report: Callable[[TrainingProgress], None]) -> TrainingReport:
    device = training_device()
    further = job.init is not None or (config.architecture is not None and config.architecture.pretrained)
    initial = initial_checkpoint(job, config)
    divided = divide(job.training_sets, further=further)
    job = evolve(job, training_sets=divided)
    sums = Fingerprints.of(job, config, initial.fingerprint if initial else None)
    check_replaceable(job.out, marker=CONFIG)  # now, not after hours of training
    with working_folder(job.out, sums.job, resume=job.resume, tensorboard=job.tensorboard) as folder:
        tokenizer = initial.tokenizer if initial else _tokenizer(job, config)
        model = _sized(config, tokenizer)
        if isinstance(model, CausalConfig):
            check_tokens(tokenizer, config.tokens, len(job.training_sets))
        with hardware(device, model, config.precision) as chosen:
            identity = _identity(job, initial)
            task = Task.of(job, identity.dialects, config, tokenizer, chosen, folder, report)
            weights = initial.model.saved() if initial else None
            learner = Learner.new(model, config, tokenizer.kinds(), device, weights)
            begun = folder.load(task.tensors(learner), task.steps)
            learner.after(begun.step)
            folder.begin()
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
        training = evolve(config, precision=chosen.precision)
        tensors = tensor_contents(learner.shipped.saved())
        keys: dict[str, Any] = {"network": config.architecture.name} if config.architecture else {}
        keys["model"] = to_json(model) if isinstance(model, ModelConfig) else model.to_json()
        files = checkpoint.contents(identity, keys, tensors, training.stated(), tokenizer)
        if isinstance(model, CausalConfig):
            files = as_folder(files, model, tokenizer)
        files[METRICS] = folder.subsampled()
        file_sizes = {name: len(data) for name, data in files.items()}
        text = card(job, Trained(identity, model, training, total, results), str(chosen), file_sizes, initial)
        checkpoint.save(job.out, files, text)
        folder.remove()
    return total


def _identity(job: TrainingJob, initial: InitialCheckpoint | None) -> Identity:
    """Return the dialects of the new checkpoint, and the sizes of each in the last training that included it."""
    dialects = initial.identity.dialects if initial else tuple(each.dialect for each in job.training_sets)
    sizes = dict(initial.identity.sizes) if initial else {}
    for each in job.training_sets:
        sizes.pop(each.dialect, None)
        if each.sizes is not None:
            sizes[each.dialect] = each.sizes
    ordered = {dialect: sizes[dialect] for dialect in dialects if dialect in sizes}
    return Identity(job.backend, dialects, ordered)


def _tokenizer(job: TrainingJob, config: Hyperparameters) -> TextTokenizer:
    """Return the tokenizer of a pretrained network, which must be able to write the training pairs; else that of the
    pairs, read from the contents of its file, as it will be later.
    """
    own = config.architecture.tokenizer(config.own) if isinstance(config.architecture, CausalArchitecture) else None
    pairs = chain.from_iterable(each.train for each in job.training_sets)
    if own is not None:
        check_writes(own, pairs)
        return own
    trained = TextTokenizer.train(
        pairs,
        config.vocab,
        config.min_frequency,
        tokens=config.tokens,
        dialects=len(job.training_sets),
        name_pool=[
            f"{letters}{number}"
            for letters in sorted(interchangeable_names(job.training_sets))
            for number in range(1, config.name_pool + 1)
        ],
    )
    return TextTokenizer.from_json(trained.to_json(), checkpoint.TOKENIZER)


def _sized(config: Hyperparameters, tokenizer: TextTokenizer) -> ModelConfig | MadeConfig:
    """Return what the network is made from, with the size of the vocabulary; UsageError if that is not allowed."""
    try:
        return config.made(tokenizer.size)
    except ValueError as error:
        raise UsageError(f"no model can be made for the tokens of these pairs: {error.args[0]}") from None


def _measured(
    sets: Sequence[TrainingSet], sums: Fingerprints, task: Task, learner: Learner, seed: int
) -> list[DialectResult]:
    """Measure the pairs of each dialect, or a sample of them, with the weights that are saved."""
    most, rng = task.config.final_pairs or len(task.train) + len(task.heldout), np.random.default_rng(seed)
    results = []
    for each, sha256, *halves in zip(sets, sums.pairs, task.train.dialects(), task.heldout.dialects(), strict=True):
        train, heldout = (
            measure(learner.shipped, examples, sample(rows, most, rng), task.hardware.costs)
            for examples, rows in zip((task.train, task.heldout), halves, strict=True)
        )
        results.append(DialectResult(each, train, heldout, *sha256))
    return results


def _tested(job: TrainingJob, task: Task, learner: Learner) -> dict[str, list[SizeResult]]:
    """Return the results of the tests of each dialect that has any."""
    found: dict[str, list[SizeResult]] = {}
    for each, tests in zip(job.training_sets, task.tests, strict=True):
        for test, examples in zip(each.tests, tests, strict=True):
            result = measure(learner.shipped, examples, np.arange(len(examples)), task.hardware.costs)
            results = found.setdefault(each.dialect, [])
            results.append(SizeResult(test.n, test.problems, result.pairs, result.exact))
    return found
