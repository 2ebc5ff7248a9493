"""Examples and batches: what is padded, what is predicted."""

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_transformer.batches import Batch, Costs, Examples, check_lengths, collate, cut, tokenise
from coc_transformer.tokenizer import EOS, PAD, TextTokenizer

PAIRS = [Pair(f"SUCC n={n}", f"PUSH n={n + 1}\nPUSH n={n}") for n in range(120)]
TOKENIZER = TextTokenizer.train(PAIRS, 100, 2, tokens="digits")
EXAMPLES = tokenise({0: PAIRS}, TOKENIZER)


def sequence(examples: Examples, row: int) -> list[int]:
    ids: list[int] = examples.ids[examples.starts[row] : examples.starts[row + 1]].tolist()
    return ids


def test_dialects_follow_one_another_each_with_its_token() -> None:
    tokenizer = TextTokenizer.train(PAIRS, 100, 2, tokens="digits", dialects=2)
    examples = tokenise({0: PAIRS[:5], 1: PAIRS[:3]}, tokenizer)
    first, second = (rows.tolist() for rows in examples.dialects())
    assert (first, second) == ([0, 1, 2, 3, 4], [5, 6, 7])
    assert [sequence(examples, row) for row in second] == [tokenizer.example(pair, 1)[0] for pair in PAIRS[:3]]


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


def test_a_pair_that_is_too_long_is_a_usage_error() -> None:
    longest, short = int(EXAMPLES.lengths.max()), int(EXAMPLES.lengths.min())
    few = tokenise({0: PAIRS[:1]}, TOKENIZER)
    check_lengths((few, EXAMPLES), longest)
    with pytest.raises(UsageError, match=f"the longest has {longest}; train with max_len={longest} or more"):
        check_lengths((few, EXAMPLES, few), longest - 1)
    wrong = int((EXAMPLES.lengths > short).sum()) + 2 * int((few.lengths > short).sum())
    with pytest.raises(UsageError, match=f"^{wrong} of {len(PAIRS) + 2} pairs have more tokens than 'max_len'"):
        check_lengths((few, EXAMPLES, few), short)


class Told:
    """Takes the target for the ids."""

    size = 1 << 16

    def example(self, pair: Pair, dialect: int) -> tuple[list[int], int]:
        return [int(number) for number in pair.target.split()], len(pair.prompt)


def test_ids_lie_end_to_end_at_two_bytes_each() -> None:
    told: Any = Told()
    pairs = [Pair("a", "1 2 3"), Pair("bc", "65535 4 0 5"), Pair("d", "9 8")]
    examples = tokenise({0: pairs[:2], 3: pairs[2:]}, told)
    assert examples.ids.tolist() == [1, 2, 3, 65_535, 4, 0, 5, 9, 8]
    assert examples.starts.tolist() == [0, 3, 7, 9]
    assert examples.target_starts.tolist() == [1, 2, 1]
    assert (examples.parts, examples.lengths.tolist()) == ((2, 1), [3, 4, 2])
    for made in (examples, tokenise({0: []}, told)):
        assert (made.ids.dtype, made.starts.dtype, made.target_starts.dtype) == (np.uint16, np.int64, np.int32)
        assert made.first_predicted(np.arange(len(made)), "all").dtype == np.int32
    assert examples.first_predicted(np.array([2, 1]), "all").tolist() == [0, 0]
    assert examples.first_predicted(np.array([2, 1]), "target").tolist() == [0, 1]


def test_a_batch_is_copied_to_another_device_without_waiting() -> None:
    class Part:
        """A tensor, as far as copying it goes."""

        def __init__(self, name: str) -> None:
            self.name = name

        def pin_memory(self) -> "Part":
            return Part(f"pinned {self.name}")

        def to(self, *place: object, non_blocking: object = None) -> tuple[object, ...]:
            return (self.name, *place, non_blocking)

    parts: Any = [Part(name) for name in ("ids", "positions", "labels", "rows")]
    device: Any = SimpleNamespace(type="cuda")
    copied = Batch(*parts).to(device)
    found = (copied.input_ids, copied.positions, copied.labels, copied.rows)
    assert found == tuple((f"pinned {name}", device, True) for name in ("ids", "positions", "labels", "rows"))


LENGTHS = st.lists(st.integers(1, 60), min_size=1, max_size=200).map(sorted)
COSTS = st.builds(Costs, st.integers(0, 100), st.integers(1, 300))


def price(lengths: list[int], slices: list[slice], costs: Costs) -> int:
    return sum((part.stop - part.start) * lengths[part.stop - 1] + costs.overhead for part in slices)


@given(LENGTHS, COSTS)
def test_every_sequence_comes_once_and_no_slice_is_too_large(lengths: list[int], costs: Costs) -> None:
    slices = cut(np.array(lengths, np.int32), costs)
    assert [part.start for part in slices] == [0, *(part.stop for part in slices[:-1])]
    assert slices[-1].stop == len(lengths)
    for part in slices:
        count = part.stop - part.start
        assert count == 1 or count * lengths[part.stop - 1] <= costs.most


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8).map(sorted), COSTS)
def test_no_cuts_cost_less(lengths: list[int], costs: Costs) -> None:
    chosen = price(lengths, cut(np.array(lengths, np.int32), costs), costs)
    places = range(1, len(lengths))
    for inner in itertools.chain.from_iterable(itertools.combinations(places, count) for count in range(len(lengths))):
        ends = [0, *inner, len(lengths)]
        slices = [slice(*pair) for pair in itertools.pairwise(ends)]
        if all(s.stop - s.start == 1 or (s.stop - s.start) * lengths[s.stop - 1] <= costs.most for s in slices):
            assert chosen <= price(lengths, slices, costs)


def test_cuts_are_tried_at_64_positions() -> None:
    slices = cut(np.arange(1, 641, dtype=np.int32), Costs(0, 10_000))
    assert {part.start % 10 for part in slices} == {0}
    assert len(slices) == 64
