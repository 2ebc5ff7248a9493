"""Examples and batches: what is padded, what is predicted."""

import numpy as np
import pytest
import torch

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_transformer.batches import Examples, collate, tokenise
from coc_transformer.tokenizer import EOS, PAD, TextTokenizer

PAIRS = [Pair(f"SUCC n={n}", f"PUSH n={n + 1}\nPUSH n={n}") for n in range(120)]
TOKENIZER = TextTokenizer.train(PAIRS, 100, 2, tokens="digits")
EXAMPLES = tokenise({0: PAIRS}, TOKENIZER, 64)


def sequence(examples: Examples, row: int) -> list[int]:
    ids: list[int] = examples.ids[examples.starts[row] : examples.starts[row + 1]].tolist()
    return ids


def test_the_examples_are_those_of_the_tokenizer() -> None:
    assert len(EXAMPLES) == len(PAIRS)
    for row, pair in enumerate(PAIRS):
        assert (sequence(EXAMPLES, row), EXAMPLES.target_starts[row]) == TOKENIZER.example(pair)
        assert EXAMPLES.lengths[row] == len(sequence(EXAMPLES, row))


def test_a_token_takes_two_bytes_and_an_example_few_more() -> None:
    arrays = (EXAMPLES.ids, EXAMPLES.starts, EXAMPLES.target_starts, EXAMPLES.lengths)
    assert sum(array.nbytes for array in arrays) <= 2 * len(EXAMPLES.ids) + 16 * len(EXAMPLES) + 8


def test_dialects_follow_one_another_each_with_its_token() -> None:
    tokenizer = TextTokenizer.train(PAIRS, 100, 2, tokens="digits", dialects=2)
    examples = tokenise({0: PAIRS[:5], 1: PAIRS[:3]}, tokenizer, 64)
    first, second = (rows.tolist() for rows in examples.dialects())
    assert (first, second) == ([0, 1, 2, 3, 4], [5, 6, 7])
    assert [sequence(examples, row) for row in second] == [tokenizer.example(pair, 1)[0] for pair in PAIRS[:3]]


def test_no_pairs_are_no_examples() -> None:
    examples = tokenise({0: [], 1: []}, TOKENIZER, 64)
    assert len(examples) == 0
    assert [len(rows) for rows in examples.dialects()] == [0, 0]


@pytest.mark.parametrize("loss", ["target", "all"])
def test_a_batch_contains_the_sequences_and_the_next_tokens(loss: str) -> None:
    rows = np.array([110, 3, 3, 119])  # the last sequence too, which nothing follows
    batch = collate(EXAMPLES, rows, loss)
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
    assert batch.to(torch.device("cpu")) is batch


def test_sorting_by_length_keeps_the_rows() -> None:
    rows = np.array([110, 3, 3, 119, 50])
    ordered = EXAMPLES.by_length(rows)
    assert sorted(ordered) == sorted(rows)
    assert EXAMPLES.lengths[ordered].tolist() == sorted(EXAMPLES.lengths[rows])


def test_a_pair_that_is_too_long_is_a_usage_error() -> None:
    longest = int(EXAMPLES.lengths.max())
    assert len(tokenise({0: PAIRS}, TOKENIZER, longest)) == len(PAIRS)
    with pytest.raises(UsageError, match=f"{longest} tokens, and 'max_len' is {longest - 1}; train with max_len="):
        tokenise({0: PAIRS}, TOKENIZER, longest - 1)
