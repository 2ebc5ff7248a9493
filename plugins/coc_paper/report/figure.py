"""The figure of a section: its plots beside each other."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from coc_core.errors import UsageError
from coc_core.plugin import suggest
from coc_core.text import quoted
from coc_paper.report.section import Plot
from coc_view.drawing import COLOURS, drawn, figure_format, new_figure

_WIDTH, _HEIGHT = 3.4, 3.0  # of a plot, in inches
_MARKERS = "os^D"
_LEGEND = {"legend.fontsize": 8, "legend.loc": "best"}
_LINES = {"axes.prop_cycle": f"cycler('color', {list(COLOURS)})", "lines.linewidth": 1.2, "lines.markersize": 4}
_STYLE = {**_LINES, **_LEGEND, "axes.grid": True, "grid.color": "0.9"}
"""How figures look unless the user chooses another style."""


def check_style(style: str | None) -> None:
    """Check that there is a style, by a name of matplotlib's or as a file.

    Raises:
        UsageError: There is no such style, or matplotlib can't be imported.
    """
    figure_format(Path("figure.svg"))
    names = ["default", *import_module("matplotlib.style").available]
    if style is not None and style not in names and not Path(style).is_file():
        raise UsageError(f"unknown style {quoted(style, 60)}, and no file of that name", remedy=suggest(style, names))


def draw(plots: Sequence[Plot], style: str | None = None) -> bytes:
    """Return the SVG of at least one plot, in a style as for `check_style`; the same plots give the same bytes."""
    return drawn(lambda: _figure(plots), "svg", _STYLE if style is None else style)


def _figure(plots: Sequence[Plot]) -> Any:
    across, down = min(2, len(plots)), -(-len(plots) // 2)
    figure = new_figure(_WIDTH * across + (1.6 if across == 1 else 0), _HEIGHT * down)
    for place, plot in enumerate(plots, 1):
        axes = figure.add_subplot(down, across, place)
        for index, series in enumerate(plot.series):
            xs, ys = [x for x, _ in series.points], [y for _, y in series.points]
            marker = _MARKERS[index % len(_MARKERS)] if len(xs) <= 50 else ""
            (line,) = axes.plot(xs, ys, marker=marker, label=series.name)
            if series.bars:
                lows, highs = zip(*series.bars, strict=True)
                axes.fill_between(xs, lows, highs, color=line.get_color(), alpha=0.15, linewidth=0)
        axes.set(title=plot.title, xlabel=plot.x, ylabel=plot.y)
        if plot.log_x:
            axes.set_xscale("log")
        elif all(isinstance(x, int) for series in plot.series for x, _ in series.points):
            axes.locator_params(axis="x", integer=True)
        if plot.log_y:
            axes.set_yscale("log")
        axes.legend()
    return figure
