"""Damaged checkpoints are refused, and forged ones show that they are others.

`benchmarks/damage.py` tries thousands.
"""

import pytest

from tests.support import damage_verdicts, damaged_checkpoints


@pytest.mark.slow
def test_no_damaged_checkpoint_is_taken_for_the_genuine_one(tmp_path):
    cases = damage_verdicts.survey(damaged_checkpoints, tmp_path, 25)
    assert damage_verdicts.bad(cases) == []
    assert all(case.verdict in ("refused", "harmless") for case in cases if case.damage == "flip")
    assert "announced" in {case.verdict for case in cases}
