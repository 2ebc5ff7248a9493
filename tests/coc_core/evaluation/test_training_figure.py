"""The figure of a training: what each panel shows."""

import pytest

from coc_core.evaluation import draw_training
from coc_core.evaluation.training_figure import training_figure

METRICS = [
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
    assert shown(METRICS) == [
        {"training loss": [[10, 2.0], [20, 0.5]]},
        {"training pairs": [[20, 50.0]], "held-out pairs": [[20, 25.0]]},
        {"learning rate": [[10, 0.1], [20, 0.05]]},
    ]


def test_the_axes_say_what_they_are():
    loss, exact, rate = training_figure(METRICS, "a title").axes
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
    assert len({draw_training(METRICS, "t", form) for _ in range(2)}) == 1
    assert draw_training(METRICS, "t", form) != draw_training(METRICS[:1], "t", form)
