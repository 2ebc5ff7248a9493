"""How the position of a token is encoded."""

import math

import pytest
import torch
from hypothesis import given, strategies as st

from coc_transformer.files import COUNTERS
from coc_transformer.model.decoder import count
from coc_transformer.sequences import rotated, rotation_table
from coc_transformer.tokenizer import FIELD, ITEM, SEPARATOR_KIND, SYMBOL

KINDS = torch.tensor([FIELD, ITEM, SYMBOL, SEPARATOR_KIND])


def plainly(ids):
    """The four counts, token after token."""
    rows, field, item, digit, separators = [], 0, 0, 0, 0
    for token in ids:
        separators += token == SEPARATOR_KIND
        if token in (FIELD, SEPARATOR_KIND):
            field, item, digit = field + 1, 0, 0
        elif token == ITEM:
            item, digit = item + 1, 0
        else:
            digit += 1
        rows.append([field, item, digit, separators])
    return rows


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30))
def test_the_counts_are_those_of_a_plain_loop(ids):
    assert torch.equal(count(torch.tensor([ids]), KINDS)[:, 0], torch.tensor(plainly(ids)).T)


PLANES, WIDTH = 3, 8
TABLE = torch.from_numpy(rotation_table(PLANES))
PLACES = st.integers(0, COUNTERS[1] - 1)


def vectors(seed):
    return torch.randn(2, WIDTH, generator=torch.Generator().manual_seed(seed))


@given(PLACES, PLACES, PLACES, st.integers(0, 99))
def test_a_product_depends_on_the_distance_alone(query, key, moved, seed):
    moved = min(moved, COUNTERS[1] - 1 - max(query, key))
    q, k = vectors(seed)
    here = rotated(q, TABLE[query], torch.cat) @ rotated(k, TABLE[key], torch.cat)
    there = rotated(q, TABLE[query + moved], torch.cat) @ rotated(k, TABLE[key + moved], torch.cat)
    torch.testing.assert_close(here, there, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("planes", [2, 3, 8])
def test_the_speeds_fall_from_2_to_a_25th_and_the_table_is_as_exact_as_its_numbers(planes):
    speeds = [2.0 * (0.04 / 2.0) ** (plane / (planes - 1)) for plane in range(planes)]
    assert (speeds[0], speeds[-1]) == pytest.approx((2.0, 0.04))
    expected = [
        [*(math.cos(place * speed) for speed in speeds), *(math.sin(place * speed) for speed in speeds)]
        for place in range(COUNTERS[1])
    ]
    torch.testing.assert_close(torch.from_numpy(rotation_table(planes)), torch.tensor(expected), atol=1e-7, rtol=0)
