"""The figure of a section: its plots beside each other."""

from collections.abc import Sequence
from typing import Any

from coc_paper.report.section import Plot
from coc_view.drawing import COLOURS, drawn, new_figure

_PLOT = 3.4, 3.0  # inches
_WIDEST = 2  # plots in a row
_MARKERS = "os^D"


def draw(plots: Sequence[Plot], form: str) -> bytes:
    """The contents of the figure's file; the same plots give the same bytes.

    Args:
        plots: At least one.
        form: `png` or `svg`.

    Raises:
        UsageError: matplotlib can't be imported.
    """
    return drawn(lambda: _figure(plots), form)


def _figure(plots: Sequence[Plot]) -> Any:
    across = min(_WIDEST, len(plots))
    down = -(-len(plots) // across)
    figure = new_figure(_PLOT[0] * across + (1.6 if across == 1 else 0), _PLOT[1] * down)
    for place, plot in enumerate(plots):
        axes = figure.add_subplot(down, across, place + 1)
        for index, series in enumerate(plot.series):
            colour = COLOURS[index % len(COLOURS)]
            xs, ys = zip(*series.points, strict=True)
            marker = _MARKERS[index % len(_MARKERS)] if len(xs) <= 50 else ""
            axes.plot(xs, ys, color=colour, marker=marker, markersize=4, linewidth=1.2, label=series.name)
            if series.bars:
                lows, highs = zip(*series.bars, strict=True)
                axes.fill_between(xs, lows, highs, color=colour, alpha=0.15, linewidth=0)
        axes.set(title=plot.title, xlabel=plot.x, ylabel=plot.y)
        if plot.log_x:
            axes.set_xscale("log")
        elif all(isinstance(x, int) for series in plot.series for x, _ in series.points):
            axes.locator_params(axis="x", integer=True)
        if plot.log_y:
            axes.set_yscale("log")
        axes.grid(color="0.9")
        axes.legend(loc="best", fontsize=8)
    return figure
