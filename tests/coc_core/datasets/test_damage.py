"""Damaged and forged datasets are refused, or are what they say. `tests/benchmarks/damage.py` tries thousands."""

import damaged
import damaged_datasets
import pytest


@pytest.mark.slow
def test_no_damaged_dataset_is_believed(tmp_path):
    cases = damaged.survey(damaged_datasets, tmp_path, 60)
    assert damaged.bad(cases) == []
    assert all(case.verdict in ("refused", "harmless") for case in cases if case.damage == "flip")
