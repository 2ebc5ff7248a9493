"""The sources of pairs, which count while they work."""

import pytest

from coc_core.api.pairs import AddressPairs, ReadPairs, WrittenPairs, dataset_spec, settings_of
from coc_core.plugin import Registry


@pytest.fixture(scope="module")
def registry():
    return Registry.installed()


def test_written_pairs_are_counted(registry):
    source = WrittenPairs(settings_of(registry, "hanoi", ["pda", "tape"], ["symbolic"]), dataset_spec("1-3"))
    assert (source.count, source.total, source.doing, source.done) == (0, None, "writing pairs", "so far")
    sets = source.sets()
    assert source.count == sum(len(one.train) + len(one.heldout) for one in sets) > 0


def test_read_pairs_are_counted(registry, coc, tmp_path):
    assert coc("data", "build", "-d", "hanoi", "-n", "1-3", "-o", tmp_path / "pairs").code == 0
    source = ReadPairs(registry, [tmp_path / "pairs"])
    assert (source.count, source.doing, source.done) == (0, "reading pairs", "audited")
    source.sets()
    assert source.count == source.total > 0


@pytest.mark.slow
def test_address_pairs_are_counted():
    source = AddressPairs(seed=1, holdout=0.5)
    (one,) = source.sets()
    assert source.count == len(one.train) + len(one.heldout)
