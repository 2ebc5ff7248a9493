"""What a job asks for: sums of its pairs and of all of it, and the checkpoint that the training is initialised from."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from attrs import asdict, frozen

from coc_core.errors import UsageError
from coc_core.models import Identity, Pair, read_config
from coc_learn.trainer import TrainingJob
from coc_transformer.files import ModelConfig, checkpoint
from coc_transformer.model import load_decoder
from coc_transformer.network import (
    CausalConfig,
    Network,
    OwnArchitecture,
    load_causal,
    load_network,
    without_form,
)
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.hyperparameters import Hyperparameters


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
