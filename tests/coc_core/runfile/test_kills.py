"""A recorded run may be cut off at any moment, and comes to the same when it goes on.

`benchmarks/kills.py` does this ten thousand times.
"""

import pytest

from coc_core.cli import main
from coc_core.runfile import RunFile
from tests.support import forked_commands, interrupted_runs


def fresh(folder):
    folder.mkdir()
    return folder / "run"


@pytest.mark.no_cover
def test_a_killed_run_goes_on(tmp_path):
    place, path = ("hanoi", "tape", "inline", "speculative"), tmp_path / "run"
    kill = interrupted_runs.fragile(50, forked_commands.kill)
    assert interrupted_runs.begin_or_resume(place, path, kill) == forked_commands.KILLED
    interrupted_runs.check(place, path)
    assert interrupted_runs.begin_or_resume(place, path) == 0
    interrupted_runs.check_end(place, path)


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("place", interrupted_runs.PLACES[:: len(interrupted_runs.EXECUTORS) - 1], ids=" ".join)
def test_a_run_survives_being_cut_off(tmp_path, place):
    forked_commands.survive(interrupted_runs, place, fresh(tmp_path / "it"), forked_commands.seeded(f"{place} 0"))


def test_a_run_may_be_cut_off_after_its_last_commit(tmp_path):
    """All is safe by then, but in two files; going on, which finds nothing to do, makes them one."""
    place = ("hanoi", "pda", "symbolic", "cached")
    path = tmp_path / "run"
    assert interrupted_runs.begin_or_resume(place, path, interrupted_runs.untidy) == forked_commands.KILLED
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["run", "run-wal"]
    with RunFile.open(path) as runfile:
        assert runfile.outcome.status == "solved"
    assert interrupted_runs.begin_or_resume(place, path, interrupted_runs.untidy) == forked_commands.KILLED
    assert main(["run", "--resume", str(path)]) == 0
    assert list(tmp_path.iterdir()) == [path]
    assert interrupted_runs.digest(path) == interrupted_runs.uninterrupted(place)
