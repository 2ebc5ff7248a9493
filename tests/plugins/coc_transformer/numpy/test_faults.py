"""What can go wrong is said in the same line by numpy and by torch."""

import shutil
from functools import partial

import numpy as np
import pytest

from coc_core.errors import ArtefactError, LimitFault, NumericFault, UsageError
from coc_core.models import Identity, Pair, on_device, read_config
from coc_transformer.decoding.backend import Transformer, open_checkpoint as open_torch
from coc_transformer.files import checkpoint
from coc_transformer.model import decoder_of
from coc_transformer.numpy.backend import Network, NumpyTransformer, open_checkpoint
from tests.plugins.coc_transformer.conftest import opened
from tests.support.checksums import seal
from tests.support.for_each import for_each
from tests.support.random_checkpoints import untrained

PAIRS = [Pair(f"SUCC n={n}", f"PUSH n={n + 1}") for n in range(20)]
PROMPTS = ["SUCC n=3", "SUCC n=11"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return untrained(tmp_path_factory.mktemp("models") / "it", ["toy/stack"], PAIRS, tokens="exact", max_len=24)


def lines(kind, calls):
    found = []
    for call in calls:
        with pytest.raises(kind) as caught:
            call()
        found.append(str(caught.value))
    return found


@for_each("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_a_fault(folder, number):
    stored = checkpoint.load(folder, read_config(folder)[1])
    stored.tensors["norm.weight"][3] = number
    ours = NumpyTransformer(stored, "toy")
    theirs = Transformer(decoder_of(stored), stored.tokenizer, "toy")
    one, other = lines(NumericFault, [partial(model.complete, PROMPTS[:1]) for model in (ours, theirs)])
    lines(NumericFault, [lambda: ours.complete(PROMPTS, ["PUSH n=4", "A"]), lambda: ours.score(PROMPTS, PROMPTS, 1)])
    assert all(isinstance(found, NumericFault) for found in ours.sample(PROMPTS, [1, 2]))
    assert one == other


def test_a_prompt_that_is_too_long_is_a_fault_of_its_own(folder):
    models = [opened(folder, open_with) for open_with in (open_checkpoint, open_torch)]
    for prompt in ("SUCC " * 30, "1" * 23):
        one, other = lines(LimitFault, [partial(model.complete, ["A", prompt]) for model in models])
        assert one == other
    first, fault, last = models[0].sample(["A", "SUCC " * 30, "B"], [1, 2, 3])
    assert isinstance(fault, LimitFault)
    assert [first, last] == models[0].sample(["A", "B"], [1, 3])
    assert models[0].complete([]) == []


@for_each("name", ["config.json", "model.safetensors", "tokenizer.json"])
@for_each("sealed", [False, True])
def test_a_damaged_checkpoint_is_refused_in_the_same_line(folder, tmp_path, name, sealed):
    copy = shutil.copytree(folder, tmp_path / "it")
    (copy / name).write_bytes((copy / name).read_bytes()[:-200])
    if sealed:
        seal(copy)
    one, other = lines(ArtefactError, [partial(opened, copy, open_with) for open_with in (open_checkpoint, open_torch)])
    assert one == other
    assert "\n" not in one


def test_other_dialects_are_refused(folder):
    _, config = read_config(folder)
    for dialects, dialect, line in (
        (("toy/stack", "toy/tape"), "toy/tape", "lists 2 dialects, and its tokenizer has 1"),
        (("toy/stack",), "toy/tape", "is for toy/stack, not toy/tape"),
    ):
        identity = Identity("transformer", dialects)
        arguments = (folder, config, identity, dialect)
        one, other = lines(ArtefactError, [partial(open_checkpoint, *arguments), partial(open_torch, *arguments)])
        assert one == other
        assert line in one


def test_numpy_has_no_other_device(folder):
    with on_device("cuda:1"), pytest.raises(UsageError, match="device 'cuda:1': numpy computes on the CPU"):
        opened(folder, open_checkpoint)
    with on_device("cpu"):
        assert isinstance(opened(folder, open_checkpoint)._network, Network)
