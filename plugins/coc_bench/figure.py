"""The figure of a benchmark: how fast each row is, compared with the sequential executor."""

from collections.abc import Sequence
from typing import Any

from coc_bench.benchmark import BASE, Load, Rate
from coc_view.drawing import COLOURS, drawn, new_figure

_WIDTH, _BAR, _REST = 6.4, 0.24, 0.9  # inches: of the figure, and the height of a bar and of what is around a panel's


def draw_rates(found: Sequence[tuple[Load, Sequence[Rate]]], form: str) -> bytes:
    """Draw a panel for each load: steps a second, on a logarithmic axis.

    Args:
        found: The loads with their measured rows; a row without steps is left out.
        form: `png` or `svg`.

    Returns:
        The contents of the file. The same numbers give the same bytes.

    Raises:
        UsageError: matplotlib can't be imported.
    """
    return drawn(lambda: rates_figure(found), form)


def rates_figure(found: Sequence[tuple[Load, Sequence[Rate]]]) -> Any:
    """The figure that `draw_rates` draws, a `matplotlib.figure.Figure`, with the user's own settings."""
    panels = [(load.title, [rate for rate in rows if rate.steps]) for load, rows in found]
    heights = [_REST + _BAR * len(rows) for _, rows in panels]
    figure = new_figure(_WIDTH, sum(heights))
    for axes, (title, rows) in zip(
        figure.subplots(len(panels), squeeze=False, height_ratios=heights)[:, 0], panels, strict=True
    ):
        speeds = [rate.steps / rate.seconds for rate in rows]
        colours = [COLOURS[rate.name == BASE] for rate in rows]
        bars = axes.barh([rate.name for rate in rows], speeds, color=colours)
        axes.bar_label(bars, [f"{speed:,.0f}" if speed >= 10 else f"{speed:.2g}" for speed in speeds], padding=3)
        axes.set(title=title, xlabel="steps a second")
        axes.invert_yaxis()
        if speeds:
            axes.set_xscale("log")
            axes.set_xlim(min(speeds) / 4, max(speeds) * 8)  # room for the labels
        axes.grid(axis="x", color="0.9")
        axes.set_axisbelow(True)
    return figure
