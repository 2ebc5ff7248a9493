"""A recorded run may be cut off at any moment, and comes to the same when it goes on.

`tests/benchmarks/kills.py` does this a thousand times.
"""

import itertools

import cutting
import pytest

from coc_core.cli import main
from coc_core.errors import ArtefactError
from coc_core.runfile import RunFile


@pytest.mark.slow
@pytest.mark.parametrize("place", cutting.PLACES, ids=" ".join)
def test_a_run_survives_being_cut_off(tmp_path, place):
    for number in range(2):
        cutting.survive(place, tmp_path / f"run{number}", cutting.seeded(f"{place} {number}"))


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("act", ["kill", "database or disk is full", "disk I/O error"])
def test_each_call_may_be_the_last(tmp_path, act, after):
    """At some calls of a short run, from its first to its last."""
    place = ("hanoi", "pda", "symbolic", "cached")
    do = cutting.kill if act == "kill" else cutting.refuse(act)
    for call in itertools.count(1 + after, 13):
        path = tmp_path / f"run{call}"
        end = cutting.begin_or_resume(place, path, cutting.fragile(call, do, after))
        if end == 0:
            assert call > 40
            break
        assert end == (cutting.KILLED if act == "kill" else 5)
        if path.exists():
            with RunFile.open(path) as runfile:
                assert runfile.outcome is None or act == "kill" or after
        assert cutting.begin_or_resume(place, path) == 0
        assert cutting.digest(path) == cutting.uninterrupted(place)


def test_a_run_may_be_cut_off_after_its_last_commit(tmp_path):
    """All is safe by then, but in two files; going on, which finds nothing to do, makes them one."""
    place = ("hanoi", "pda", "symbolic", "cached")
    path = tmp_path / "run"
    assert cutting.begin_or_resume(place, path, cutting.untidy) == cutting.KILLED
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["run", "run-wal"]
    with RunFile.open(path) as runfile:
        assert runfile.outcome.status == "solved"
    assert cutting.begin_or_resume(place, path, cutting.untidy) == cutting.KILLED
    assert main(["run", "--resume", str(path)]) == 0
    assert list(tmp_path.iterdir()) == [path]
    assert cutting.digest(path) == cutting.uninterrupted(place)


def test_nothing_is_tried_again_after_a_refusal(tmp_path):
    """After an error not one more statement is made: a commit that failed might seem to succeed the second time."""
    place = ("hanoi", "pda", "symbolic", "cached")

    def refuse_then_die():
        calls = itertools.count()
        cutting.fragile(30, cutting.refuse("disk I/O error"))()
        connect = cutting.database.connect

        def counted(path):
            connection = connect(path)
            wrapped = connection.counted

            def count(call, arguments):
                if next(calls) >= 30:
                    cutting.kill()
                return wrapped(call, arguments)

            connection.counted = count
            return connection

        cutting.database.connect = counted

    assert cutting.begin_or_resume(place, tmp_path / "run", refuse_then_die) == 5


def test_a_run_that_is_being_written_is_left_alone(tmp_path):
    place = ("hanoi", "pda", "symbolic", "cached")
    path = tmp_path / "run"

    def pause():
        cutting.fragile(60, lambda: cutting.time.sleep(60))()

    child = cutting.start([*cutting.command(place), "--save", str(path)], pause)
    while not path.with_name("run-wal").exists():
        cutting.time.sleep(0.005)
    cutting.time.sleep(0.05)
    try:
        with pytest.raises(ArtefactError, match="it is still being written; wait until that run has ended"):
            RunFile.open(path)
        assert cutting.begin_or_resume(place, path) == 3
    finally:
        cutting.os.kill(child, cutting.signal.SIGKILL)
        assert cutting.wait(child) == cutting.KILLED
    assert cutting.begin_or_resume(place, path) == 0
    assert cutting.digest(path) == cutting.uninterrupted(place)
