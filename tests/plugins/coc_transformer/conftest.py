"""A toy task, and a tiny model trained on it once."""

import pytest
import torch

from coc_core.models import Pair, read_config
from coc_learn.trainer import TrainingJob, TrainingSet
from coc_transformer.decoding.backend import Transformer, open_checkpoint
from coc_transformer.files import ModelConfig
from coc_transformer.model import Decoder, load_decoder
from coc_transformer.training.trainer import TransformerTrainer

TOY = tuple(Pair(f"SUCC n={n}", f"PUSH n={n + 1}\nPUSH n={n}") for n in range(12))
TINY = {"d_model": "32", "layers": "2", "heads": "2", "max_len": "32", "steps": "120"}
TINY |= {"batch_size": "16", "lr": "0.01", "warmup": "10", "min_frequency": "2"}


def opened(folder, open_with=open_checkpoint, dialect=None):
    """The model of a checkpoint, by default for its first dialect."""
    identity, config = read_config(folder)
    return open_with(folder, config, identity, dialect or identity.dialects[0])


def decode(network, tokenizer, prompts, drafts=None, dialect=0):
    """What a network writes."""
    return Transformer(network, tokenizer, "toy", dialect).complete(prompts, drafts)


def quietly(progress):
    """What a training reports to where nobody looks."""


def train(job, report=quietly):
    return TransformerTrainer().train(job, report)


def weights(job):
    """The bytes of the weights that come of a job."""
    train(job)
    return (job.out / "model.safetensors").read_bytes()


@pytest.fixture(scope="session")
def toy_pairs():
    return TOY


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """These models are so small that more threads would only wait for each other."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def toy_job(tmp_path_factory):
    """A job on the toy task: so many pairs held out, none so that all of it can be learned; overrides by keyword."""

    def job(out=None, heldout=0, **overrides):
        folder = out or tmp_path_factory.mktemp("training") / "toy"
        kept = len(TOY) - heldout
        training_sets = TrainingSet("toy/stack", TOY[:kept], TOY[kept:], source="twelve numbers")
        command = "coc train --domain toy"
        return TrainingJob("transformer", [training_sets], folder, "small", 3, {**TINY, **overrides}, command)

    return job


@pytest.fixture(scope="session")
def toy_checkpoint(toy_job):
    """The folder of a model that is exact on the toy task. Copy it before changing it."""
    job = toy_job()
    report = train(job)
    assert (report.train_exact, report.train_pairs) == (len(TOY), len(TOY))
    return job.out


@pytest.fixture(scope="session")
def scripted():
    """Makes a model for a vocabulary of some size that writes the same ids whatever it reads: one at each place."""

    def make(vocab, script):
        config = ModelConfig(
            vocab=vocab,
            d_model=vocab,
            layers=1,
            heads=1,
            d_ff=4,
            max_len=len(script),
            dropout=0,
            positions="absolute",
            token_shift=0,
        )
        model = Decoder(config).requires_grad_(False).eval()
        for parameter in model.parameters():
            torch.nn.init.zeros_(parameter)
        model.norm.weight.fill_(1)
        model.tokens.weight.copy_(torch.eye(vocab))
        model.positions.weight.copy_(100 * torch.eye(vocab)[script])
        return model

    return make


@pytest.fixture(scope="session")
def trained(toy_checkpoint):
    """That model and its tokenizer. Copy it before changing it."""
    return load_decoder(toy_checkpoint, read_config(toy_checkpoint)[1])
