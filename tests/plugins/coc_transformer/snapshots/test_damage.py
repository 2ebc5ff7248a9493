"""A training is not resumed from a damaged snapshot. `benchmarks/damage.py` tries thousands."""

import pytest
import torch

from coc_transformer.training import loop
from coc_transformer.training.hyperparameters import Hyperparameters
from tests.support import damage_verdicts, damaged_snapshots


@pytest.mark.slow
def test_no_damaged_snapshot_is_resumed_to_another_checkpoint(tmp_path, monkeypatch):
    for name in ("REPORT_INTERVAL", "SNAPSHOT_SECONDS", "MOST_MEASURED"):
        monkeypatch.setattr(loop, name, getattr(loop, name))  # `make` sets it, and it is set back afterwards
    monkeypatch.setattr(Hyperparameters, "eval_interval", Hyperparameters.eval_interval)
    threads = torch.get_num_threads()
    try:
        cases = damage_verdicts.survey(damaged_snapshots, tmp_path, 40)
    finally:
        torch.set_num_threads(threads)
    assert damage_verdicts.bad(cases) == []
    assert {case.verdict for case in cases if case.damage == "flip"} == {"refused"}
