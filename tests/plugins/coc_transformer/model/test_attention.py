"""Attention against its definition, and what autocast makes of it."""

import pytest
import torch
from torch import Tensor

from coc_transformer.model.forward import attend


def drawn(length: int) -> Tensor:
    """Queries, keys and values."""
    return torch.randn(3, 2, 3, length, 4, generator=torch.Generator().manual_seed(length))


@pytest.mark.parametrize("length", [5, 1])
def test_each_query_mixes_the_values_up_to_its_own_position(length: int) -> None:
    queries, keys, values = drawn(length)
    mixed = attend(queries, keys, values, 0.0)
    assert mixed.shape == queries.shape
    for query in range(length):
        seen = query + 1
        weights = (keys[:, :, :seen] @ queries[:, :, query, :, None] / 2).softmax(2)
        torch.testing.assert_close(mixed[:, :, query], (weights * values[:, :, :seen]).sum(2))


def test_autocast_on_a_cpu_does_not_reach_it() -> None:
    queries, keys, values = drawn(4)
    plain = attend(queries, keys, values, 0.0)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(attend(queries, keys, values, 0.0), plain)
        rounded = attend(*(tensor.bfloat16() for tensor in (queries, keys, values)), 0.0)
        assert (queries @ keys.mT).dtype is torch.bfloat16  # it goes on for the others
    assert rounded.dtype is torch.float32
    torch.testing.assert_close(rounded, plain, atol=0.05, rtol=0.05)
