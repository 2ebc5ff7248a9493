"""A build may be cut off at any moment: a whole dataset is in place or none, and the next build makes the same.

`benchmarks/kills.py` does this thousands of times.
"""

import signal

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
