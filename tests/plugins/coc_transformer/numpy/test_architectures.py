"""Random weights of every architecture: numpy decodes, samples and scores as torch does, and so does each function."""

import math
from math import inf

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

from coc_core.models import Pair
from coc_transformer import continuation
from coc_transformer.assumptions import ERF_ERROR, UNIT
from coc_transformer.decoding.backend import open_checkpoint as open_torch
from coc_transformer.files import ModelConfig
from coc_transformer.model.decoder import count
from coc_transformer.numpy import backend
from coc_transformer.numpy.backend import gelu, normed, open_checkpoint, softmax
from coc_transformer.sequences import DIGITS, FIELDS, INDEX, ITEMS, SEPARATORS, TOKEN, Lookup, Sequences
from tests.plugins.coc_transformer.conftest import opened
from tests.support.random_checkpoints import untrained

PAIRS = [
    Pair(f"LIST [A{n}, B{n + 1}, C{n}] n={n * n}", f"PUSH [C{n}, A{n}] n={n + 7 * n}\nPUSH n={n}") for n in range(24)
]
ALIKE = [PAIRS[0].prompt] * 3
LISTS = {"positions": "fields", "list_attention": False}
ARCHITECTURES = {
    "the paper's": {},
    "the paper's with a shift": {"token_shift": 2},
    "structural": {"positions": "structural", "token_shift": 1},
    "rotary": {"positions": "structural", "token_shift": 2, "rotary": 5},
    "fields": {"positions": "fields", "log_scaling": True},
    "digits apart": {"positions": "fields", "token_shift": 3},
    "few digits": {"positions": "fields", "digit_rows": 3},
    "prompts don't attend": {"positions": "fields", "token_shift": 1, "prompt_attention": False, "log_scaling": True},
    "nor rotated ones": {"positions": "structural", "token_shift": 1, "rotary": 5, "prompt_attention": False},
    "nor do lists": {**LISTS, "token_shift": 3, "prompt_attention": False},
    "only lists don't attend": {**LISTS, "log_scaling": True},
}


@pytest.fixture(scope="module", params=ARCHITECTURES)
def models(request, tmp_path_factory):
    """Of one architecture, numpy's model and torch's: their context ends before most of their targets do."""
    folder = tmp_path_factory.mktemp("models") / "it"
    changes = {"max_len": 40, "layers": 2, **ARCHITECTURES[request.param]}
    untrained(folder, ["toy/a", "toy/b"], PAIRS, tokens="exact", **changes)
    return [opened(folder, open_with, "toy/b") for open_with in (open_checkpoint, open_torch)]


PROMPTS = [pair.prompt for pair in PAIRS[::6]] + ALIKE + ["LIST [A1] n=3", "\nLIST\n[B2, C3]\nn=4", ""]


def test_targets_are_those_of_torch_in_batches_and_alone(models):
    ours, theirs = models
    expected = theirs.complete(PROMPTS)
    assert ours.complete(PROMPTS) == expected
    assert ours.margin == pytest.approx(theirs.margin, abs=1e-3)
    assert [ours.complete([prompt])[0] for prompt in PROMPTS] == expected
    assert len(set(expected)) > 3


def test_small_batches_are_no_different(models, monkeypatch):
    ours, _ = models
    expected = ours.complete(PROMPTS)
    monkeypatch.setattr(ours._network, "most_begun", 80)
    for place, name in ((backend, "_READ"), (backend, "_FLOATS"), (continuation, "_FLOATS")):
        monkeypatch.setattr(place, name, 80)
        assert ours.complete(PROMPTS, expected) == ours.complete(PROMPTS) == expected


def test_long_sequences_are_read_in_parts(models, monkeypatch):
    ours, _ = models
    drafts = ours.complete(PROMPTS)
    for scores in (1, 300, 1_000):
        monkeypatch.setattr(backend, "_SCORES", scores)
        assert ours.complete(PROMPTS) == ours.complete(PROMPTS, drafts) == ours.verify(PROMPTS, drafts) == drafts


@pytest.mark.parametrize("numbers", [0, 1_000, 20_000])
def test_prompts_are_forgotten_where_there_is_no_room(models, monkeypatch, numbers):
    ours, _ = models
    expected = ours.complete(PROMPTS)
    monkeypatch.setattr(backend, "_REMEMBERED", numbers)
    monkeypatch.setattr(ours, "_network", backend.Network(ours._stored))
    for _ in range(2):
        assert ours.complete(PROMPTS, expected) == ours.complete(PROMPTS) == expected
        assert [ours.complete([prompt])[0] for prompt in PROMPTS] == expected


def test_a_draft_changes_nothing(models):
    ours, theirs = models
    expected = ours.complete(PROMPTS)
    for drafts in (
        expected,
        [text[: len(text) // 2] for text in expected],
        [text[:8] + "PUSH" for text in expected],
        [""] * len(PROMPTS),
        ["A1, " * 99] * len(PROMPTS),
    ):
        assert ours.complete(PROMPTS, drafts) == expected
        assert ours.verify(PROMPTS, drafts) == theirs.verify(PROMPTS, drafts)


def test_samples_are_those_of_torch(models):
    ours, theirs = models
    seeds = range(100, 100 + len(PROMPTS))
    found = ours.sample(PROMPTS, seeds)
    assert found == theirs.sample(PROMPTS, seeds)
    assert [ours.sample([prompt], [seed])[0] for prompt, seed in zip(PROMPTS[:4], seeds[:4], strict=True)] == found[:4]
    assert found != ours.sample(PROMPTS, range(len(PROMPTS)))


def test_scores_are_those_of_torch(models):
    prompts, targets = zip(*PAIRS[:6], strict=True)
    for found, expected in zip(*(model.score([*prompts, "A1"], [*targets, ""], 3) for model in models), strict=True):
        assert [score.token for score in found] == [score.token for score in expected]
        assert [score.logprob for score in found] == pytest.approx([score.logprob for score in expected], abs=1e-4)
        assert [[*score.top] for score in found] == [[*score.top] for score in expected]


def test_margins_are_those_of_torch(models):
    pairs = [*PAIRS[:6], Pair("A1", "é"), Pair("A1", "")]
    found, expected = ([each.margin for each in model.margins(pairs, bounded=False)] for model in models)
    assert found == pytest.approx(expected, abs=1e-5)
    assert found[6] == -inf


EVERYWHERE = np.concatenate((np.linspace(-8, 8, 100_001), np.logspace(-30, 3, 4_001), -np.logspace(-30, 3, 4_001)))


def test_the_error_of_gelu_is_what_the_bounds_assume():
    u = EVERYWHERE.astype(np.float32)[None]
    exact = u.astype(np.float64) * (0.5 + 0.5 * np.array([math.erf(x / math.sqrt(2)) for x in u[0].tolist()]))
    assert (np.abs(gelu(u) - exact) <= (ERF_ERROR / 2 + 4 * UNIT) * np.abs(u)).all()
    np.testing.assert_allclose(gelu(u.astype(np.float64)), exact, rtol=1e-15)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.sampled_from([np.float32, np.float64]))
def test_layer_norm_and_softmax_are_those_of_torch(seed, rows, dtype):
    rng = np.random.default_rng(seed)
    x, scale, shift = (rng.normal(3, 2, shape).astype(dtype) for shape in ((rows, 24), (1, 24), (1, 24)))
    most = 1e-4 if dtype is np.float32 else 1e-12
    expected = torch.nn.functional.layer_norm(
        *map(torch.from_numpy, (x,)), (24,), *map(torch.from_numpy, (scale[0], shift[0]))
    )
    np.testing.assert_allclose(normed(x, (scale, shift)), expected.numpy(), atol=most, rtol=most)
    np.testing.assert_allclose(softmax(x.copy()), torch.from_numpy(x).softmax(-1).numpy(), atol=most)


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=30), min_size=1, max_size=4))
def test_what_sequences_count_is_what_the_decoder_counts(rows):
    kinds = [2, 0, 3, 1]
    config = ModelConfig(8, 8, 1, 1, 8, 32, 0, "structural", 2)
    sequences = Sequences(Lookup(config, kinds), rows, 1)
    columns = sequences.add(rows)
    assert columns == range(max(map(len, rows)))
    for row, facts in zip(rows, sequences.facts(columns), strict=True):
        expected = count(torch.tensor([row]), torch.tensor(kinds))[:, 0].T.tolist()
        assert facts[-len(row) :, [FIELDS, ITEMS, DIGITS, SEPARATORS]].tolist() == expected
        assert facts[-len(row) :, [INDEX, TOKEN]].tolist() == [*map(list, enumerate(row))]
        assert not facts[: -len(row), FIELDS:].any()
