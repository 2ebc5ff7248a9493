"""The figure of a training: loss, exactness and learning rate over the steps."""

from collections.abc import Sequence
from typing import Any

from coc_view.drawing import COLOURS, drawn, new_figure

_SIZE = 6.4, 6.0  # inches
_PANELS = (
    ("loss", {"loss": ("training loss", 1.0)}),
    ("percent exact", {"train_exact": ("training pairs", 100.0), "heldout_exact": ("held-out pairs", 100.0)}),
    ("learning rate", {"lr": ("learning rate", 1.0)}),
)
"""The label of each panel, and the numbers it shows: by name, what each is called, and its factor."""


def draw_training(metrics: Sequence[dict[str, float]], title: str, form: str) -> bytes:
    """Draw what a backend noted while it trained.

    Args:
        metrics: The numbers of each line, as `coc_learn.metrics.read_metrics` returns them.
        title: The text above.
        form: `png` or `svg`.

    Returns:
        The contents of the file. The same numbers give the same bytes.

    Raises:
        UsageError: matplotlib can't be imported.
    """
    return drawn(lambda: training_figure(metrics, title), form)


def training_figure(metrics: Sequence[dict[str, float]], title: str) -> Any:
    """The figure that `draw_training` draws, a `matplotlib.figure.Figure`, with the user's own settings."""
    figure = new_figure(*_SIZE)
    panels = figure.subplots(len(_PANELS), sharex=True)
    for axes, (label, shown) in zip(panels, _PANELS, strict=True):
        for (name, (words, factor)), colour, line in zip(shown.items(), COLOURS, ("-", "--"), strict=False):
            points = [(noted["step"], factor * noted[name]) for noted in metrics if name in noted]
            marker = "." if len(points) == 1 else ""
            if points:
                axes.plot(*zip(*points, strict=True), label=words, color=colour, linestyle=line, marker=marker)
        axes.set(ylabel=label)
        axes.grid(color="0.9")
        if len(axes.lines) > 1:
            axes.legend(loc="lower right")
    loss, exact, _ = panels
    if loss.lines and min(loss.lines[0].get_ydata()) > 0:
        loss.set_yscale("log")
    exact.set_ylim(-4, 104)
    panels[0].set(title=title)
    panels[-1].set(xlabel="step")
    return figure
