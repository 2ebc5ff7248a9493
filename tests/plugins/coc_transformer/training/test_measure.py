"""What is measured of a model: pairs that are exact, and how nearly they are not."""

from math import inf

import numpy as np
import pytest

from coc_core.models import Pair
from coc_transformer.decoding.backend import Transformer
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import EOS, UNK, TextTokenizer
from coc_transformer.training import loop as module
from coc_transformer.training.examples import tokenise
from coc_transformer.training.loop import Measurement, measure, sample


@pytest.fixture
def examples(trained, toy_pairs):
    """The toy pairs, of which every third has a wrong target."""
    pairs = [
        Pair(pair.prompt, pair.target.replace("PUSH", "USH", number % 3 == 0)) for number, pair in enumerate(toy_pairs)
    ]
    return tokenise({0: pairs}, trained[1])


@pytest.mark.parametrize("together", [5, 1_000])
def test_it_counts_what_decoding_would_get_right_and_finds_the_smallest_margin(
    trained, toy_pairs, examples, together, monkeypatch
):
    monkeypatch.setattr(module, "_MEASURED_TOGETHER", together)
    found = measure(trained[0], examples, np.arange(len(examples)))
    right = [pair.prompt for number, pair in enumerate(toy_pairs) if number % 3]
    model = Transformer(*trained, "toy")
    assert model.complete(right) == [pair.target for number, pair in enumerate(toy_pairs) if number % 3]
    assert (found.exact, found.pairs) == (8, 12)
    assert found.margin == pytest.approx(model.margin, abs=1e-4)
    assert found.fraction == 8 / 12


def test_only_the_rows_that_are_asked_for_are_measured(trained, examples):
    wrong = measure(trained[0], examples, np.array([0, 3]))
    assert wrong == Measurement(0, 2, inf)
    right = measure(trained[0], examples, np.array([1, 2, 1]))
    assert (right.exact, right.pairs, right.fraction) == (3, 3, 1.0)
    nothing = measure(trained[0], examples, np.array([], np.int64))
    assert nothing == Measurement(0, 0, inf)
    assert nothing.fraction is None


@pytest.mark.parametrize("training", [True, False])
def test_the_model_is_measured_without_dropout_and_left_as_it_was(trained, examples, monkeypatch, training):
    model, modes = trained[0], []
    hidden = model.hidden
    monkeypatch.setattr(
        Decoder, "hidden", lambda self, ids, **given: modes.append(self.training) or hidden(ids, **given)
    )
    try:
        model.train(training)
        measure(model, examples, np.arange(3))
        assert model.training is training
    finally:
        model.eval()
    assert modes == [False]


def test_a_target_with_an_unknown_token_is_never_exact(scripted):
    """Not even if the model predicts just that token, since it has no text."""
    tokenizer = TextTokenizer.train([Pair("ab", "b")], 99, 1, tokens="exact")
    for target, exact in (("b", 1), ("~", 0)):
        examples = tokenise({0: [Pair("ab", target)]}, tokenizer)
        ids = examples.ids.tolist()
        assert (UNK in ids) == (not exact)
        model = scripted(tokenizer.size, [*ids[1:], EOS])
        assert measure(model, examples, np.array([0])).exact == exact


def test_a_sample_has_no_row_twice_and_all_if_they_are_few():
    rows, rng = np.arange(50, 90), np.random.default_rng(0)
    assert sample(rows, 40, rng) is rows
    assert sample(rows, 41, rng) is rows
    for _ in range(20):
        some = sample(rows, 39, rng)
        assert len(set(some)) == len(some) == 39
        assert set(some) <= set(rows)
