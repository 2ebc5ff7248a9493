"""How the position of a token is encoded."""

import torch
from hypothesis import given, strategies as st

from coc_transformer.model.positions import count
from coc_transformer.tokenizer import FIELD, ITEM, SEPARATOR_KIND, SYMBOL

KINDS = torch.tensor([FIELD, ITEM, SYMBOL, SEPARATOR_KIND])


def plainly(ids: list[int]) -> list[list[int]]:
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
def test_the_counts_are_those_of_a_plain_loop(ids: list[int]) -> None:
    assert torch.equal(count(torch.tensor([ids]), KINDS)[:, 0], torch.tensor(plainly(ids)).T)
