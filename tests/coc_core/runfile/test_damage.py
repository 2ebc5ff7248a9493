"""Damaged and forged recordings are refused, or are what they say. `benchmarks/damage.py` tries thousands."""

import pytest

from coc_core.runfile import chunk, writer
from tests.support import damage_verdicts, damaged_recordings


@pytest.mark.slow
def test_no_damaged_recording_is_believed(tmp_path, monkeypatch):
    for module, name in ((chunk, "MAX_STEPS"), (writer, "COMMIT_INTERVAL"), (writer, "_QUICK")):
        monkeypatch.setattr(module, name, getattr(module, name))  # `make` sets them, and they are set back afterwards
    cases = damage_verdicts.survey(damaged_recordings, tmp_path, 25)
    assert damage_verdicts.bad(cases) == []
    assert {"refused", "harmless"} <= {case.verdict for case in cases}
