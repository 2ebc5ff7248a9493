"""The functions are within what the bounds on rounding assume, and equal torch's."""

import math

import numpy as np
import torch
from hypothesis import given, strategies as st

from coc_transformer.assumptions import ERF_ERROR, UNIT
from coc_transformer.files import ModelConfig
from coc_transformer.model.decoder import count
from coc_transformer.numpy.backend import gelu, normed, softmax
from coc_transformer.sequences import DIGITS, FIELDS, INDEX, ITEMS, SEPARATORS, TOKEN, Lookup, Sequences

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
