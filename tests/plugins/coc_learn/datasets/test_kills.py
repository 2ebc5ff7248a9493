"""A build may be cut off at any moment: a whole dataset is in place or none, and the next build makes the same.

`benchmarks/kills.py` does this thousands of times.
"""

import faulthandler
import signal
import time

import pytest

from tests.support import forked_commands, interrupted_builds
from tests.support.for_each import for_each


@pytest.mark.parametrize("place", interrupted_builds.PLACES, ids=" ".join)
def test_a_build_survives_being_cut_off(tmp_path, place):
    forked_commands.survive(interrupted_builds, place, tmp_path / "dataset", forked_commands.seeded(f"{place} 0"))


@for_each("number", range(20))
def test_an_interrupt_at_the_very_beginning_is_not_lost(tmp_path, number):
    child = forked_commands.start(interrupted_builds.command(interrupted_builds.PLACES[0], tmp_path / "dataset"))
    assert forked_commands.at_a_moment(child, signal.SIGINT, number / 100_000) == 130


def test_a_child_that_hangs_is_aborted(tmp_path, monkeypatch):
    monkeypatch.setattr(forked_commands, "PATIENCE", 0.1)
    child = forked_commands.start(["--version"], lambda: (faulthandler.disable(), time.sleep(60)))
    assert forked_commands.wait(child) == -signal.SIGABRT


@pytest.mark.slow
def test_each_call_of_a_build_may_be_the_last(tmp_path):
    """Of a build over an older dataset, killed and refused in turn at the calls that change a file."""
    acts = [forked_commands.kill, forked_commands.refuse(forked_commands.errno.ENOSPC)]
    place, path = interrupted_builds.PLACES[0], tmp_path / "dataset"
    ends = []
    while not ends or ends[-1] != 0 or len(ends) < 12:
        assert interrupted_builds.begin_or_resume(place, path, seed=1) == 0
        ends.append(
            forked_commands.wait(
                forked_commands.start(
                    interrupted_builds.command(place, path), forked_commands.fragile(len(ends) + 1, acts[len(ends) % 2])
                )
            )
        )
        assert ends[-1] in (0, 5, forked_commands.KILLED)
        interrupted_builds.check(place, path)
    assert interrupted_builds.begin_or_resume(place, path) == 0
    interrupted_builds.check_end(place, path)
    assert sum(end != 0 for end in ends) >= 10
