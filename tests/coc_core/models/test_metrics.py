"""`metrics.jsonl`: what is read of it, and what is refused."""

import json

import pytest

from coc_core.errors import ArtefactError
from coc_core.models import METRICS, read_metrics


def test_the_numbers_of_each_line_are_read(tmp_path):
    lines = [{"step": 10, "loss": 0.5, "grad_norm": None}, {"step": 20, "train_exact": 1, "note": "late", "ok": True}]
    (tmp_path / METRICS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_metrics(tmp_path) == [{"step": 10, "loss": 0.5}, {"step": 20, "train_exact": 1}]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"step": 1}\n[]\n', "line 2"),
        ('{"loss": 1}\n', "line 1 has no number 'step'"),
        ('{"step": "1"}\n', "line 1 has no number 'step'"),
        ('{"step": NaN}\n', "line 1"),
        ('{"step": 1}\n{"st', "line 2"),
    ],
)
def test_another_form_is_refused(tmp_path, text, fault):
    (tmp_path / METRICS).write_text(text)
    with pytest.raises(ArtefactError, match=fault):
        read_metrics(tmp_path)


def test_a_folder_without_metrics_is_refused(tmp_path):
    with pytest.raises(ArtefactError, match=METRICS):
        read_metrics(tmp_path)
