"""A training may be cut off at any moment, and comes to the same checkpoint when it is resumed.

`benchmarks/kills.py` does this thousands of times.
"""

import pytest
import torch

from tests.support import forked_commands, interrupted_trainings


@pytest.fixture(autouse=True)
def threads():
    """Torch is set to one thread before it is forked_commands."""
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.slow
@pytest.mark.parametrize("place", interrupted_trainings.PLACES, ids=" ".join)
@pytest.mark.parametrize("number", [0, 7])  # which begin, over all places, with each of the ways
def test_a_training_survives_being_cut_off(tmp_path, place, number):
    forked_commands.survive(
        interrupted_trainings, place, tmp_path / "checkpoint", forked_commands.seeded(f"{place} {number}")
    )
