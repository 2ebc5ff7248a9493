"""`coc train` with this backend: tokenizer, model, training, measurement, checkpoint."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from math import inf
from typing import Any

import numpy as np
from attrs import asdict, evolve, frozen

from coc_core.errors import UsageError
from coc_core.models import CONFIG, Identity, Pair, SizeResult, read_config
from coc_core.storage import check_replaceable
from coc_learn.division import divide
from coc_learn.trainer import METRICS, Trainer, TrainingJob, TrainingProgress, TrainingReport
from coc_transformer.files import ModelConfig, checkpoint, snapshot, to_json, weights
from coc_transformer.model import load_decoder
from coc_transformer.network import (
    CausalConfig,
    MadeConfig,
    Network,
    OwnArchitecture,
    as_folder,
    check_network,
    check_tokens,
    load_causal,
    load_network,
    named_network,
    without_form,
)
from coc_transformer.tokenizer import MOST_DIALECTS, TextTokenizer
from coc_transformer.training.card import DialectResult, Trained, card
from coc_transformer.training.hardware import hardware, training_device
from coc_transformer.training.hyperparameters import SUMMARIES, Hyperparameters, choose
from coc_transformer.training.loop import Loop, Task, measure, sample
from coc_transformer.training.optimise import CLIP, Learner


def fingerprint(pairs: Sequence[Pair]) -> str:
    """Return the SHA-256 sum of the pairs as a compact JSON list of [prompt, target], which is never held whole."""
    digest = hashlib.sha256(b"[")
    for index, pair in enumerate(pairs):
        digest.update((b"," if index else b"") + json.dumps(pair, separators=(",", ":")).encode())
    digest.update(b"]")
    return digest.hexdigest()


def job_fingerprint(job: TrainingJob, config: Hyperparameters, pairs: Any, init: str | None) -> str:
    """Return the SHA-256 of everything that the result of a job depends on, but not where the result goes, given the
    sums of its `pairs`, and that of a checkpoint that is trained further, `init`.
    """
    tests = ([test.n, fingerprint(test.pairs)] for each in job.training_sets for test in each.tests)
    facts = [[each.dialect for each in job.training_sets], pairs, config.stated(), init, *tests]
    if config.architecture is not None:
        model: Any = config.model
        facts += [config.architecture.name, config.architecture.sha256, model.to_json()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


@frozen
class InitialCheckpoint:
    """A checkpoint whose dialects and tokenizer a further training keeps."""

    name: str
    identity: Identity
    fingerprint: str
    model: Network
    tokenizer: TextTokenizer


def initial_checkpoint(job: TrainingJob, config: Hyperparameters) -> InitialCheckpoint | None:
    """Open the checkpoint that `job.init` names; None if it names none. UsageError if it is of another backend or
    architecture, or lacks one of the job's dialects, ArtefactError if it is broken.
    """
    if job.init is None:
        return None
    identity, contents = read_config(job.init)
    dialects = [each.dialect for each in job.training_sets]
    if identity.backend != job.backend:
        raise UsageError(
            f"the checkpoint {job.init} is of the backend {identity.backend}, and this training of {job.backend}",
            remedy="give the --model or --network that its card states, or leave out --init",
        )
    if not set(dialects) <= set(identity.dialects):
        raise UsageError(
            f"the checkpoint {job.init} is for {', '.join(identity.dialects)}, and the pairs are in"
            f" {', '.join(dialects)}",
            remedy="train some or all of its dialects, or leave out --init",
        )
    model: Network
    if config.architecture is None:
        model, tokenizer = load_decoder(job.init, contents)
    elif isinstance(config.architecture, OwnArchitecture):
        model, tokenizer = load_network(job.init, contents, config.architecture)
    else:
        model, tokenizer = load_causal(job.init, contents)
    expected, found = map(_values, (config.made(tokenizer.size), model.config))
    for name, value in found.items():
        if expected.get(name) != value:
            raise UsageError(
                f"the checkpoint {job.init} has {name} {value!s:.60}, and this training {expected.get(name)!s:.60}",
                remedy="give the preset, the hyperparameters and the --network that its card states",
            )
    return InitialCheckpoint(job.init.resolve().name, identity, checkpoint.fingerprint(job.init), model, tokenizer)


def _values(shape: Any) -> dict[str, Any]:
    """Return what a network is made from, by name."""
    if isinstance(shape, ModelConfig):
        return asdict(shape)
    own = without_form(shape.settings().to_dict()) if isinstance(shape, CausalConfig) else shape.stated()
    return {"max_len": shape.max_len, **own}


class TransformerTrainer(Trainer):
    """Trains checkpoints of this backend, tokenizer and model on the training pairs only. `network`, as `--network`
    takes it, is an installed plugin's, which is trained unless a job has another.
    """

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
        if isinstance(config.model, CausalConfig):
            check_tokens(config.tokens)
        if config.architecture is not None and isinstance(config.model, MadeConfig):
            check_network(config.architecture.name, config.model)
        check_replaceable(job.out, marker=CONFIG)
        snapshot.check_working_folder(job.out, resume=job.resume)

    def train(self, job: TrainingJob, report: Callable[[TrainingProgress], None]) -> TrainingReport:
        config = self._chosen(job)
        if config.architecture is not None and job.network is not None:
            job = evolve(job, backend=config.architecture.backend)
        _check(job)
        return _train(job, config, report)

    def _chosen(self, job: TrainingJob) -> Hyperparameters:
        network = self._network if job.network is None else job.network
        return choose(job.preset, job.overrides, job.seed, None if network is None else named_network(network))


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
    device, initial = training_device(), initial_checkpoint(job, config)
    job = evolve(job, training_sets=divide(job.training_sets, further=initial is not None))
    sums = [(fingerprint(each.train), fingerprint(each.heldout)) for each in job.training_sets]
    name = job_fingerprint(job, config, sums, initial.fingerprint if initial else None)
    check_replaceable(job.out, marker=CONFIG)  # now, not after hours of training
    with snapshot.working_folder(job.out, name, resume=job.resume) as folder:
        tokenizer = initial.tokenizer if initial else _tokenizer(job, config)
        model, identity = _made(job, config, tokenizer), _identity(job, initial)
        with hardware(device, model) as chosen:
            task = Task.of(job, identity.dialects, config, tokenizer, chosen)
            learner = Learner.new(model, config, tokenizer.kinds(), device, initial.model.saved() if initial else None)
            begun = folder.load(task.tensors(learner), task.steps)
            learner.after(begun.step)
            progress = Loop(task, learner, folder, report, begun).run()
            results = _results(job, task, learner, sums)
        tested = {result.pairs.dialect: result.tests for result in results if result.tests}
        origin = f"those of the checkpoint {initial.name}, SHA-256 {initial.fingerprint}" if initial else ""
        trained = Trained(evolve(identity, tested=tested), model, config, str(chosen), progress, results, origin)
        files = _files(trained, learner, tokenizer) | {METRICS: snapshot.subsampled(folder.metrics)}
        checkpoint.save(job.out, files, card(job, trained))
        folder.remove()
    return trained.report()


def _made(job: TrainingJob, config: Hyperparameters, tokenizer: TextTokenizer) -> ModelConfig | MadeConfig:
    """Return what the network is made from."""
    try:
        model = config.made(tokenizer.size)
    except ValueError as error:
        raise UsageError(f"no model can be made for the tokens of these pairs: {error.args[0]}") from None
    if isinstance(model, CausalConfig):
        check_tokens(config.tokens, len(job.training_sets))
    return model


def _results(
    job: TrainingJob, task: Task, learner: Learner, sums: Sequence[tuple[str, str]]
) -> Sequence[DialectResult]:
    """Measure the pairs of each dialect, or samples of them, and those of its tests."""
    most, rng, tests = task.config.final_pairs or inf, np.random.default_rng(job.seed), iter(task.tests)
    results = []
    for each, digests, *parts in zip(
        job.training_sets, sums, task.train.dialects(), task.heldout.dialects(), strict=True
    ):
        halves = zip((task.train, task.heldout), parts, strict=True)
        train, heldout = (measure(learner.shipped, half, sample(rows, most, rng)) for half, rows in halves)
        measured = [(test, measure(learner.shipped, next(tests))) for test in each.tests]
        sizes = [SizeResult(test.n, test.problems, found.pairs, found.exact) for test, found in measured]
        results.append(DialectResult(each, (train, heldout), digests, sizes))
    return results


def _files(trained: Trained, learner: Learner, tokenizer: TextTokenizer) -> dict[str, Any]:
    """Return the contents of the checkpoint's files by name, but for the card and the metrics."""
    model, architecture = trained.model, trained.training.architecture
    keys: dict[str, Any] = {"network": architecture.name} if architecture else {}
    keys["model"] = to_json(model) if isinstance(model, ModelConfig) else model.to_json()
    tensors = weights.of_tensors(learner.shipped.saved())
    files = checkpoint.contents(trained.identity, keys, tensors, trained.training.stated(), tokenizer)
    return as_folder(files, model, tokenizer) if isinstance(model, CausalConfig) else files


def _identity(job: TrainingJob, initial: InitialCheckpoint | None) -> Identity:
    """Return the dialects of the new checkpoint, and the sizes of each in the last training that included it."""
    dialects = initial.identity.dialects if initial else tuple(each.dialect for each in job.training_sets)
    sizes: dict[str, range | None] = dict(initial.identity.sizes) if initial else {}
    sizes |= {each.dialect: each.sizes for each in job.training_sets}
    return Identity(job.backend, dialects, {each: known for each in dialects if (known := sizes.get(each)) is not None})


def _tokenizer(job: TrainingJob, config: Hyperparameters) -> TextTokenizer:
    """Return the tokenizer of the training pairs, read from the contents of its file, as it will be later."""
    letters = frozenset.intersection(*(each.interchangeable_names for each in job.training_sets))
    trained = TextTokenizer.train(
        chain.from_iterable(each.train for each in job.training_sets),
        config.vocab,
        config.min_frequency,
        tokens=config.tokens,
        dialects=len(job.training_sets),
        name_pool=[f"{each}{number}" for each in sorted(letters) for number in range(1, config.name_pool + 1)],
    )
    return TextTokenizer.from_json(trained.to_json(), checkpoint.TOKENIZER)
