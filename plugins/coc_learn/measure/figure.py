"""The figure of an evaluation: success and exactness over the problem size, with the largest trained size marked."""

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from coc_learn.measure.interval import wilson
from coc_view.drawing import COLOURS, drawn, new_figure

_SIZE = 7.2, 4.4  # inches
_STYLES = tuple(zip(COLOURS, "os^D", ("-", "--", ":", "-."), strict=True))


@frozen
class Curve:
    """How many of the trials of each size succeeded: `name` is for the legend, `points` are (n, successes, trials),
    with at least one trial; `sampled` trials have an interval.
    """

    name: str
    points: Sequence[tuple[int, int, int]]
    sampled: bool = True


def draw_curves(curves: Iterable[Curve], title: str, trained: range | None, form: str) -> bytes:
    """Draw curves over the problem size, with the 95% Wilson interval of each point of a sample, as `png` or `svg`.

    Curves without points are left out; a line marks the largest size that the model was trained on, if known. The same
    curves give the same bytes, on one machine and with one version of matplotlib, without which it is a UsageError.
    """
    return drawn(lambda: curves_figure(curves, title, trained), form)


def curves_figure(curves: Iterable[Curve], title: str, trained: range | None) -> Any:
    """Return the figure that `draw_curves` draws, a `matplotlib.figure.Figure`, with the user's own settings."""
    figure = new_figure(*_SIZE)
    axes = figure.add_subplot()
    for (colour, marker, line), curve in zip(_STYLES, (each for each in curves if each.points), strict=False):
        sizes, successes, trials = zip(*curve.points, strict=True)
        shares = [100 * some / every for some, every in zip(successes, trials, strict=True)]
        if curve.sampled:
            lows, highs = ([100 * end for end in ends] for ends in zip(*map(wilson, successes, trials), strict=True))
            axes.fill_between(sizes, lows, highs, color=colour, alpha=0.15, linewidth=0)
        axes.plot(
            sizes, shares, label=curve.name, color=colour, marker=marker, linestyle=line, linewidth=2, markersize=6
        )
    if trained:
        axes.axvline(trained[-1], color="0.4", linewidth=1, label=f"largest trained size, n = {trained[-1]}")
    axes.set(title=title, xlabel="problem size n", ylabel="percent", ylim=(-4, 104))
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(color="0.9")
    if axes.lines:
        axes.legend(loc="best")
    return figure
