"""The figure of a training: what is read of the metrics, and what each panel shows."""

import json

import pytest

from coc_core.errors import ArtefactError
from coc_learn.figure import draw_training, training_figure
from coc_learn.metrics import METRICS, read_metrics

NOTED = [
    {"step": 10, "loss": 2.0, "lr": 0.1},
    {"step": 20, "train_exact": 0.5, "heldout_exact": 0.25},
    {"step": 20, "loss": 0.5, "lr": 0.05, "tokens": 7},
]


def shown(metrics):
    return [
        {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
        for axes in training_figure(metrics, "a title").axes
    ]


def test_each_panel_shows_its_numbers_over_the_steps():
    assert shown(NOTED) == [
        {"training loss": [[10, 2.0], [20, 0.5]]},
        {"training pairs": [[20, 50.0]], "held-out pairs": [[20, 25.0]]},
        {"learning rate": [[10, 0.1], [20, 0.05]]},
    ]


def test_the_axes_say_what_they_are():
    loss, exact, rate = training_figure(NOTED, "a title").axes
    assert [axes.get_ylabel() for axes in (loss, exact, rate)] == ["loss", "percent exact", "learning rate"]
    assert (loss.get_title(), rate.get_xlabel(), loss.get_yscale()) == ("a title", "step", "log")
    assert exact.get_legend() is not None
    low, high = exact.get_ylim()
    assert low < 0 < 100 < high


def test_a_loss_of_zero_has_no_logarithm():
    loss, *_ = training_figure([{"step": 1, "loss": 0.0}], "t").axes
    assert loss.get_yscale() == "linear"


def test_nothing_noted_is_an_empty_figure():
    assert shown([]) == [{}, {}, {}]


@pytest.mark.parametrize("form", ["png", "svg"])
def test_the_same_numbers_give_the_same_bytes(form):
    assert len({draw_training(NOTED, "t", form) for _ in range(2)}) == 1
    assert draw_training(NOTED, "t", form) != draw_training(NOTED[:1], "t", form)


def test_the_numbers_of_each_line_are_read(tmp_path):
    lines = [{"step": 10, "loss": 0.5, "grad_norm": None}, {"step": 20, "train_exact": 1, "note": "late", "ok": True}]
    (tmp_path / METRICS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_metrics(tmp_path) == [{"step": 10, "loss": 0.5}, {"step": 20, "train_exact": 1}]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"step": 1}\n[]\n', "line 2"),
        ('{"loss": 1}\n', "line 1 has no 'step', or one that is not a number"),
        ('{"step": "1"}\n', "line 1 has no 'step', or one that is not a number"),
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
