"""A batch may be cut off at any moment: each line of the results has its plan, and no problem is run twice."""

import pytest

from tests.support import forked_commands, interrupted_batches


@pytest.mark.parametrize("place", interrupted_batches.PLACES, ids=" ".join)
def test_a_batch_survives_being_cut_off(tmp_path, place):
    (tmp_path / "alone").mkdir()
    forked_commands.survive(
        interrupted_batches, place, tmp_path / "alone" / "plans", forked_commands.seeded(f"{place} 0")
    )
