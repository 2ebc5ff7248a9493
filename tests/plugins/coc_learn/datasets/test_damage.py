"""Damaged and forged datasets are refused, or are what they say. `benchmarks/damage.py` tries thousands."""

import pytest

from tests.support import damage_verdicts, damaged_datasets


@pytest.mark.slow
def test_no_damaged_dataset_is_believed(tmp_path):
    cases = damage_verdicts.survey(damaged_datasets, tmp_path, 60)
    assert damage_verdicts.bad(cases) == []
    assert all(case.verdict in ("refused", "harmless") for case in cases if case.damage == "flip")
