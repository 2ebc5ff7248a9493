"""The figure of an evaluation: what it shows, that it is the same each time, and what is refused."""

import matplotlib

from coc_learn.measure.figure import Curve, curves_figure, draw_curves
from coc_learn.measure.interval import wilson
from tests.support.for_each import for_each

SOLVED = Curve("problems solved", [(5, 10, 10), (6, 7, 10), (7, 0, 10)])
EXACT = Curve("prompts answered exactly", [(5, 100, 100), (6, 90, 100)], sampled=False)


def axes_of(*curves, title="", trained=None):
    (axes,) = curves_figure(curves, title, trained).axes
    return axes


def test_each_curve_shows_percentages_over_sizes():
    axes = axes_of(SOLVED, EXACT, title="hanoi on pda")
    shown = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    assert shown == {
        "problems solved": [[5, 100], [6, 70], [7, 0]],
        "prompts answered exactly": [[5, 100], [6, 90]],
    }
    assert len({(line.get_color(), line.get_marker(), line.get_linestyle()) for line in axes.lines}) == 2
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == ("hanoi on pda", "problem size n", "percent")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == list(shown)


def test_only_a_sample_has_intervals():
    axes = axes_of(SOLVED, EXACT)
    (band,) = axes.collections
    ends = {(round(x), round(y, 4)) for x, y in band.get_paths()[0].vertices}
    assert ends == {
        (n, round(100 * end, 4)) for n, successes, trials in SOLVED.points for end in wilson(successes, trials)
    }


def test_the_largest_trained_size_is_marked():
    *_, line = axes_of(SOLVED, trained=range(1, 7)).lines
    assert (line.get_label(), set(line.get_xdata())) == ("largest trained size, n = 6", {6})
    assert len(axes_of(SOLVED).lines) == 1


@for_each("form", ["png", "svg"])
def test_the_same_results_give_the_same_bytes_whatever_the_settings_of_the_user(form):
    usual = draw_curves([SOLVED, Curve("no points", [])], "t", range(1, 6), form)
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black", "savefig.dpi": 10}):
        assert draw_curves([SOLVED], "t", range(1, 6), form) == usual
        assert matplotlib.rcParams["font.size"] == 30
