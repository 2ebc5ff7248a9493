"""A training is not resumed from a damaged snapshot. `tests/benchmarks/damage.py` tries thousands."""

import pytest
import torch

from coc_transformer.training import loop
from tests.support import damage_verdicts, damaged_snapshots


@pytest.mark.slow
def test_no_damaged_snapshot_is_resumed_to_another_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "REPORT_INTERVAL", loop.REPORT_INTERVAL)  # `make` sets it, and it is set back afterwards
    threads = torch.get_num_threads()
    try:
        cases = damage_verdicts.survey(damaged_snapshots, tmp_path, 40)
    finally:
        torch.set_num_threads(threads)
    assert damage_verdicts.bad(cases) == []
    assert {case.verdict for case in cases if case.damage == "flip"} == {"refused"}
