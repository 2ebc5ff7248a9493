"""The figure of a benchmark: a panel for each load, and a bar for each row that has steps."""

import pytest

from coc_bench.benchmark import Load, Rate
from coc_bench.figure import draw_rates, rates_figure
from tests.support.plan_runs import setting_of

SETTING = setting_of("hanoi")
ROWS = [Rate("cached", 300, 2.0), Rate("no library", obstacle="it is missing"), Rate("sequential", 6, 3.0)]
FOUND = [(Load(SETTING, [SETTING.domain.problem(n)]), ROWS) for n in (3, 4)]


def test_each_bar_is_a_rate_and_the_base_has_a_colour_of_its_own():
    figure = rates_figure(FOUND)
    assert [axes.get_title() for axes in figure.axes] == [load.title for load, _ in FOUND]
    for axes in figure.axes:
        assert [label.get_text() for label in axes.get_yticklabels()] == ["cached", "sequential"]
        assert [bar.get_width() for bar in axes.patches] == [150.0, 2.0]
        assert len({bar.get_facecolor() for bar in axes.patches}) == 2
        assert {text.get_text() for text in axes.texts} == {"150", "2"}
        assert (axes.get_xscale(), axes.get_xlabel()) == ("log", "steps a second")


def test_without_a_step_there_is_an_empty_panel():
    (axes,) = rates_figure([(FOUND[0][0], [Rate("cached")])]).axes
    assert list(axes.patches) == []


@pytest.mark.parametrize("form", ["png", "svg"])
def test_the_same_rates_give_the_same_bytes(form):
    assert len({draw_rates(FOUND, form) for _ in range(2)}) == 1
    assert draw_rates(FOUND, form) != draw_rates(FOUND[:1], form)
