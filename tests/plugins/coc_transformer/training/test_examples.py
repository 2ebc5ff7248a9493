"""Examples and batches: what is padded, what is predicted, what is measured."""

import itertools
from math import inf

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_transformer.decoding.backend import Transformer
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import EOS, PAD, UNK, TextTokenizer
from coc_transformer.training import loop as module
from coc_transformer.training.examples import Costs, check_lengths, collate, cut, tokenise
from coc_transformer.training.loop import Measurement, measure, sample

PAIRS = [Pair(f"SUCC n={n}", f"PUSH n={n + 1}\nPUSH n={n}") for n in range(120)]
TOKENIZER = TextTokenizer.train(PAIRS, 100, 2, tokens="digits")
EXAMPLES = tokenise({0: PAIRS}, TOKENIZER)


def sequence(examples, row):
    return examples.ids[examples.starts[row] : examples.starts[row + 1]].tolist()


def test_dialects_follow_one_another_each_with_its_token():
    tokenizer = TextTokenizer.train(PAIRS, 100, 2, tokens="digits", dialects=2)
    examples = tokenise({0: PAIRS[:5], 1: PAIRS[:3]}, tokenizer)
    first, second = (rows.tolist() for rows in examples.dialects())
    assert (first, second) == ([0, 1, 2, 3, 4], [5, 6, 7])
    assert [sequence(examples, row) for row in second] == [tokenizer.example(pair, 1)[0] for pair in PAIRS[:3]]


@pytest.mark.parametrize("loss", ["target", "all"])
def test_a_batch_contains_the_sequences_and_the_next_tokens(loss):
    rows = np.array([110, 3, 3, 119])  # the last sequence too, which nothing follows
    batch = collate(EXAMPLES, rows, loss, torch.device("cpu"))
    assert batch.input_ids.shape == (4, EXAMPLES.lengths[rows].max() - 1)
    for place, row in enumerate(rows):
        whole, first = sequence(EXAMPLES, row), EXAMPLES.target_starts[row] if loss == "target" else 1
        assert batch.input_ids[place].tolist() == whole[:-1] + [PAD] * (batch.input_ids.shape[1] + 1 - len(whole))
        here = batch.rows == place
        assert batch.labels[here].tolist() == whole[first:]
        assert batch.labels[here][-1] == EOS
        seen = batch.input_ids.flatten()[batch.positions[here]].tolist()
        assert seen == whole[first - 1 : -1]
    assert len(batch.labels) == EXAMPLES.count_predicted(rows, loss)


def test_a_pair_that_is_too_long_is_a_usage_error():
    longest, short = int(EXAMPLES.lengths.max()), int(EXAMPLES.lengths.min())
    few = tokenise({0: PAIRS[:1]}, TOKENIZER)
    check_lengths((few, EXAMPLES), longest)
    with pytest.raises(UsageError, match=f"the longest has {longest}; train with max_len={longest} or more"):
        check_lengths((few, EXAMPLES, few), longest - 1)
    wrong = int((EXAMPLES.lengths > short).sum()) + 2 * int((few.lengths > short).sum())
    with pytest.raises(UsageError, match=f"^{wrong} of {len(PAIRS) + 2} pairs have more tokens than 'max_len'"):
        check_lengths((few, EXAMPLES, few), short)


LENGTHS = st.lists(st.integers(1, 60), min_size=1, max_size=200).map(sorted)
COSTS = st.builds(Costs, st.integers(0, 100), st.integers(1, 300))


def price(lengths, slices, costs):
    return sum((part.stop - part.start) * lengths[part.stop - 1] + costs.overhead for part in slices)


@given(LENGTHS, COSTS)
def test_every_sequence_comes_once_and_no_slice_is_too_large(lengths, costs):
    slices = cut(np.array(lengths, np.int32), costs)
    assert [part.start for part in slices] == [0, *(part.stop for part in slices[:-1])]
    assert slices[-1].stop == len(lengths)
    for part in slices:
        count = part.stop - part.start
        assert count == 1 or count * lengths[part.stop - 1] <= costs.most


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8).map(sorted), COSTS)
def test_no_cuts_cost_less(lengths, costs):
    chosen = price(lengths, cut(np.array(lengths, np.int32), costs), costs)
    places = range(1, len(lengths))
    for inner in itertools.chain.from_iterable(itertools.combinations(places, count) for count in range(len(lengths))):
        ends = [0, *inner, len(lengths)]
        slices = [slice(*pair) for pair in itertools.pairwise(ends)]
        if all(s.stop - s.start == 1 or (s.stop - s.start) * lengths[s.stop - 1] <= costs.most for s in slices):
            assert chosen <= price(lengths, slices, costs)


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
