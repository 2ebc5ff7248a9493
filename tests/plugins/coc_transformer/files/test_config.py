"""The architecture that a checkpoint states, what is read and what is refused; batches by length; metrics."""

from itertools import chain, pairwise

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from coc_core.errors import ArtefactError
from coc_core.storage import read_document
from coc_transformer.files import ModelConfig, length_batches, to_json
from coc_transformer.files.snapshot import subsampled
from coc_transformer.training.hyperparameters import PRESETS
from tests.support.for_each import for_each

MODEL = to_json(PRESETS["small"].model)


def test_a_config_says_nothing_of_what_older_ones_do_not_know():
    """So a checkpoint that was exported and imported again has the same files, whichever version wrote them."""
    newer = {"prompt_attention": False, "list_attention": False, "log_scaling": True, "digit_rows": 80}
    assert not newer.keys() & set(MODEL)
    changed = evolve(PRESETS["exact"].model, positions="fields", **newer)
    assert {name: to_json(changed)[name] for name in newer} == newer
    assert read_document(ModelConfig, to_json(changed), "it", sparse=True) == changed


@for_each("name", PRESETS)
def test_a_preset_survives_json(name):
    preset = PRESETS[name]
    assert read_document(ModelConfig, to_json(preset.model), "it", sparse=True) == preset.model


@for_each(
    ("change", "fault"),
    [
        ({"colour": 3}, "unknown key 'colour'"),
        ({"layers": None}, "it: layers is .*, not a whole number"),
        ({"layers": True}, "it: layers is .*, not a whole number"),
        ({"layers": 10**6}, "'layers' must be <= 64"),
        ({"layers": 0}, "'layers' must be >= 1"),
        ({"d_model": 4096, "layers": 64, "d_ff": 16384}, "larger than 1,000,000,000"),
        ({"dropout": float("nan")}, "'dropout' must be >= 0"),
        ({"heads": 3}, "not a multiple of 'heads' 3"),
        ({"rotary": 17, "positions": "structural"}, "'rotary' 17 is more than the 16 planes that a head has"),
        ({"rotary": -1, "positions": "structural"}, "rotary"),
        ({"rotary": 4}, "'rotary' requires 'positions' to be structural"),
    ],
)
def test_a_bad_model_config_is_rejected(change, fault):
    with pytest.raises(ArtefactError, match=fault):
        read_document(ModelConfig, {**MODEL, **change}, "it", sparse=True)


@given(st.lists(st.binary(max_size=30).map(lambda line: line.hex().encode() + b"\n")), st.integers(0, 300))
def test_thinned_lines_are_whole_few_enough_and_end_with_the_last(lines, most):
    kept = subsampled(lines, most).splitlines(keepends=True)
    assert sum(map(len, kept)) <= most
    rest = iter(lines)
    assert all(line in rest for line in kept)
    if kept:
        assert kept[-1] == lines[-1]
    if sum(map(len, lines)) <= most:
        assert kept == lines


@given(st.lists(st.integers(0, 60), max_size=25), st.sampled_from([0, 1, 20, 100, 1_000, 99.5]))
def test_batches_are_as_large_as_they_may_be(lengths, most):
    """Each has the shortest rows that are left, up to the first that would cost too much, or too much padding."""
    batches = list(length_batches(lengths, most))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    rows = [[lengths[index] for index in batch] for batch in batches]
    assert list(chain.from_iterable(rows)) == sorted(lengths)

    def fits(batch):
        return batch[-1] * len(batch) <= most and batch[-1] <= 8 + 1.1 * batch[0]

    assert all(len(batch) == 1 or fits(batch) for batch in rows)
    for batch, following in pairwise(rows):
        assert not fits([*batch, following[0]])
