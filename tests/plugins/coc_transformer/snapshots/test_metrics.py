"""The metrics of a training."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from coc_transformer.snapshots.snapshot import Metrics, subsampled


def test_lines_are_added_and_cut_off(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path / "metrics.jsonl")
    metrics.cut(0)
    metrics.add(step=1, loss=0.5)
    length = metrics.sync()
    metrics.add(step=2, loss=0.25)
    assert length < metrics.sync() == metrics.path.stat().st_size
    metrics.cut(length)
    assert json.loads(metrics.path.read_text()) == {"step": 1, "loss": 0.5}


def test_what_is_not_a_number_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        Metrics(tmp_path / "metrics.jsonl").add(loss=float("nan"))


@given(st.lists(st.binary(max_size=30).map(lambda line: line.hex().encode() + b"\n")), st.integers(0, 300))
def test_thinned_lines_are_whole_few_enough_and_end_with_the_last(lines: list[bytes], most: int) -> None:
    kept = subsampled(b"".join(lines), most).splitlines(keepends=True)
    assert sum(map(len, kept)) <= most
    rest = iter(lines)
    assert all(line in rest for line in kept)
    if kept:
        assert kept[-1] == lines[-1]
    if sum(map(len, lines)) <= most:
        assert kept == lines
