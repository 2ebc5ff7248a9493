"""Of several processes that write one place, all but the first are refused at once; a killed one leaves nothing for long."""

import os
import tempfile
from pathlib import Path

import pytest

from coc_core.cli import main
from coc_core.storage import scratch_folder
from coc_learn.commands import data, train  # noqa: F401 — commands are imported when they are called
from coc_learn.datasets import build as building
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
        monkeypatch.setattr(data, "stream", None)
        line = refused(5, *words, place)
    assert f"another process is writing the {'empty folder' if words[0] == 'new' else 'dataset'}" in line
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    assert coc(*words, place).code == 0
    assert names(tmp_path) == [place.name]


def test_of_three_builds_at_once_one_succeeds_and_is_whole(coc, tmp_path):
    """They meet after the check: each waits for the others before it makes its first pair."""
    arrived, go, finish = os.pipe(), os.pipe(), os.pipe()
    real = building.fresh_folder

    def meeting(*arguments, **options):
        os.write(arrived[1], b".")
        os.read(go[0], 1)
        return real(*arguments, **options)

    def slow(pair):
        held = real_encode(pair)
        if not (tmp_path / "over").exists():
            os.write(arrived[1], b"+")
            os.read(finish[0], 1)
            (tmp_path / "over").touch()
        return held

    real_encode, children = building.encode, []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            code = 70
            try:
                building.fresh_folder, building.encode = meeting, slow
                code = main([*map(str, BUILD), str(tmp_path / "it")])
            finally:
                os._exit(code)
        children.append(child)
    for _ in children:
        assert os.read(arrived[0], 1) == b"."
    os.write(go[1], b"...")
    assert os.read(arrived[0], 1) == b"+"  # one of them has begun
    ends = []
    for _ in range(2):
        child, status = os.waitpid(-1, 0)
        ends.append(os.waitstatus_to_exitcode(status))
        children.remove(child)
    assert ends == [5, 5]
    os.write(finish[1], b".")
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0
    assert names(tmp_path) == ["it", "over"]
    assert coc("data", "verify", tmp_path / "it").code == 0


@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("call", range(8))
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


def test_the_buffer_of_a_killed_build_is_gone_with_it(coc, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()

    def begin():
        building.RowWriter = die
        main([*map(str, BUILD), str(tmp_path / "it")])

    killed(begin)
    assert names(tmp_path) == [".it.coc-scratch", "temporary"]
    assert names(tmp_path / ".it.coc-scratch") == ["new"]
    assert not list((tmp_path / "temporary").iterdir())


def test_folders_that_were_made_for_a_refused_one_are_removed(refused, tmp_path, monkeypatch):
    monkeypatch.setattr(building, "encode", lambda _: b"\n" * 10**9)
    monkeypatch.setattr(building, "RowWriter", None)

    def full(*_arguments, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(building.tempfile, "TemporaryFile", full)
    assert "No space left on device" in refused(5, *BUILD, tmp_path / "a" / "b" / "it")
    assert not list(tmp_path.iterdir())
