"""Positions of digits that are drawn in training."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from coc_core.models import Pair
from coc_transformer.batches import DigitPositions, tokenise
from coc_transformer.tokenizer import TextTokenizer


@given(longest=st.integers(0, 9), more=st.integers(0, 30), step=st.integers(1, 1_000), seed=st.integers(0, 9))
def test_positions_ascend_from_one_to_the_largest(longest: int, more: int, step: int, seed: int) -> None:
    drawn = DigitPositions(longest, max(1, longest + more), seed)
    tables = drawn.tables(step, 50)
    assert tables.shape == (50, 1 + longest)
    assert not tables[:, 0].any()
    assert (np.diff(tables, axis=1) > 0).all()
    assert tables.max() <= max(1, longest + more)
    assert (tables == DigitPositions(longest, max(1, longest + more), seed).tables(step, 50)).all()


def test_all_pairs_of_positions_come_up_and_the_counted_ones_too() -> None:
    tables = DigitPositions(3, 8, 0).tables(1, 5_000)
    together = {(one, other) for row in tables[:, 1:].tolist() for one in row for other in row if one < other}
    assert together == {(one, other) for other in range(1, 9) for one in range(1, other)}
    assert [0, 1, 2, 3] in tables.tolist()


def test_without_a_largest_position_digits_are_counted() -> None:
    assert (DigitPositions(3, 0, 0).tables(1, 5) == [0, 1, 2, 3]).all()


@pytest.mark.parametrize(
    ("texts", "longest"), [(["x=12 y=3456", "z"], 4), (["x", "y"], 0), (["1", "23"], 2), (["B123 B45", "7"], 1)]
)
def test_the_longest_number_has_most_digits_in_a_row(texts: list[str], longest: int) -> None:
    pairs = [Pair(text, text) for text in texts]
    tokenizer = TextTokenizer.train(pairs, 256, 1, tokens="exact")
    assert tokenise({0: pairs}, tokenizer).longest_number(tokenizer.kinds()) == longest
