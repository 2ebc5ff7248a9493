"""Of several processes that write one place, all but the first are refused at once; a killed one leaves nothing for long."""

import os
from pathlib import Path

import pytest

from coc_core.cli import main
from coc_core.storage import scratch_folder
from coc_learn.commands import data, train  # noqa: F401 — commands are imported when they are called
from tests.support.special_files import die, killed

BUILD = ("data", "build", "-d", "hanoi", "-n", "1-3", "-o")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("words", [BUILD, ("new", "domain", "odd", "-o")], ids=lambda words: words[0])
def test_a_second_process_is_refused_before_it_works(coc, refused, tmp_path, monkeypatch, words, long):
    place = tmp_path / ("x" * 255 if long else "it")
    with scratch_folder(place):
        monkeypatch.setattr(data, "written_pairs", None)
        line = refused(5, *words, place)
    assert f"another process is writing the {'empty folder' if words[0] == 'new' else 'dataset'}" in line
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    assert coc(*words, place).code == 0
    assert names(tmp_path) == [place.name]


@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("call", range(0, 8, 3))
def test_a_killed_build_leaves_the_old_dataset_and_nothing_for_long(coc, tmp_path, call, old):
    place = tmp_path / "it"
    if old:
        assert coc(*BUILD, place, "--seed", 7).code == 0
    before = contents(place) if old else {}

    def begin():
        calls = []

        def dying(real):
            def do(*arguments, **options):
                calls.append(real)
                if len(calls) == call + 1:
                    die()
                return real(*arguments, **options)

            return do

        os.fsync = dying(os.fsync)
        Path.rename = dying(Path.rename)
        Path.rmdir = dying(Path.rmdir)
        main([*map(str, BUILD), str(place)])
        die()

    killed(begin)
    assert set(names(tmp_path)) <= {"it", ".it.coc-scratch"}
    if place.exists():
        assert coc("data", "verify", place).code == 0
    else:
        assert not old
    now = contents(place) if place.exists() else {}
    assert coc(*BUILD, place).code == 0
    assert names(tmp_path) == ["it"]
    assert now in (before, contents(place))
