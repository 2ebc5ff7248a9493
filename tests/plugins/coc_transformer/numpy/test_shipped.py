"""numpy and torch agree on the pairs of the shipped checkpoints: on targets, and closely on margins."""

import pytest

from coc_core.plugin import CheckpointSpec, Registry
from coc_transformer.decoding.backend import open_checkpoint as open_torch
from coc_transformer.files import checkpoint
from coc_transformer.numpy.backend import NumpyTransformer, open_checkpoint
from tests.plugins.coc_transformer.conftest import opened
from tests.support.shipped_checkpoints import SHIPPED, SPOKEN, sample

FLOAT32, FLOAT64 = 1e-3, 5e-6
"""How far margins may be apart: what they are computed in here, and torch's logarithms, which are of float32."""


def both(dialect):
    return [opened(SPOKEN[dialect][1], open_with, dialect) for open_with in (open_checkpoint, open_torch)]


@pytest.mark.parametrize("dialect", [spec.dialects[0] for spec in SHIPPED])
def test_they_agree_on_some_pairs(dialect):
    agree(dialect, sample(dialect)[::16][:3])


@pytest.mark.slow
@pytest.mark.parametrize("dialect", SPOKEN)
def test_they_agree_on_all_pairs(dialect):
    agree(dialect, sample(dialect))


def agree(dialect, pairs):
    ours, theirs = both(dialect)
    prompts, targets = zip(*pairs, strict=True)
    assert ours.complete(prompts) == theirs.complete(prompts) == list(targets)
    assert ours.margin == pytest.approx(theirs.margin, abs=FLOAT32)
    assert ours.complete(prompts, targets) == ours.verify(prompts, targets) == list(targets)
    assert [ours.complete([prompt])[0] for prompt in prompts[:4]] == list(targets[:4])
    found, expected = ([each.margin for each in model.margins(pairs, bounded=False)] for model in (ours, theirs))
    assert found == pytest.approx(expected, abs=FLOAT64)
    assert ours.margin == pytest.approx(min(found), abs=FLOAT32)


def test_bounds_are_those_of_torch():
    ours, theirs = both("hanoi/stack")
    pairs = sample("hanoi/stack")[:3]
    assert [*ours.margins(pairs, bounded=True)] == [*theirs.margins(pairs, bounded=True)]
    assert ours.assumptions == theirs.assumptions


def test_numpy_opens_what_ships_and_says_so():
    registry = Registry.installed()
    assert "hanoi-pda" in {spec.name for spec in registry.specs(CheckpointSpec)}
    ours, theirs = both("hanoi/stack")
    _, folder = SPOKEN["hanoi/stack"]
    assert isinstance(ours, NumpyTransformer)
    assert ours.record.keys() == {"fingerprint", "numpy"}
    assert ours.record["fingerprint"] == theirs.record["fingerprint"] == checkpoint.fingerprint(folder)
    assert ours.describe() == theirs.describe()
