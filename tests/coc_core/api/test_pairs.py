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


@pytest.mark.parametrize(("domain", "names"), [("hanoi", set()), ("blocksworld", {"B"}), ("pancake", {"P"})])
def test_pairs_come_with_the_names_that_their_domain_calls_interchangeable(registry, coc, tmp_path, domain, names):
    written = WrittenPairs(settings_of(registry, domain, ["pda"], ["symbolic"]), dataset_spec("2-3")).sets()
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder, sizes in zip(folders, ("2", "4"), strict=True):
        assert coc("data", "build", "-d", domain, "-n", sizes, "-o", folder).code == 0
    several = folders if domain != "hanoi" else folders[:1]
    read = ReadPairs(registry, several).sets()
    assert [one.interchangeable_names for one in (*written, *read)] == [names, names]


@pytest.mark.slow
def test_address_pairs_are_counted():
    source = AddressPairs(seed=1, holdout=0.5)
    (one,) = source.sets()
    assert source.count == len(one.train) + len(one.heldout)
