"""The report as files: one page of HTML that needs no network, the same as JSON, and the figures."""

import base64
import json
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from attrs import asdict

from coc_core.api import html
from coc_core.storage import write_folder
from coc_core.text import duration
from coc_paper.item import naming
from coc_paper.report import Plot, Section, text_of
from coc_view.drawing import COLOURS, drawn, new_figure
from coc_view.page import part

MARKER = "report.json"
_MARKED = (("`([^`<]+)`", r"<code>\1</code>"), ("<td>([^<]+ ▼)</td>", r'<td class="below">\1</td>'))
_WIDTH, _HEIGHT = 4.4, 3.8  # of a plot, in inches
_MARKERS = "os^D"
_LEGEND = {"legend.fontsize": 10, "legend.loc": "best"}
_LINES = {"axes.prop_cycle": f"cycler('color', {list(COLOURS)})", "lines.linewidth": 2, "lines.markersize": 6}
_STYLE = {**_LINES, **_LEGEND, "axes.grid": True, "grid.color": "0.9"}


def write(folder: Path, sections: Sequence[Section], heading: str, facts: str) -> None:
    """Write the report whole, with a line of `facts` about how it was made; a former one there is replaced.

    PluginError if a section has values of wrong types, UsageError or StorageError if it can't be written there.
    """
    figures, bodies, documents = dict[str, bytes](), list[str](), list[Any]()
    for each in sections:
        with naming(each.name):
            figure = draw(each.plots) if each.plots else b""
            bodies.append(_section(each, figure))
            documents.append(json.loads(json.dumps(asdict(each), allow_nan=False)))
        figures |= {f"{each.name}.svg": figure} if figure else {}
    page = Template(files(__package__).joinpath("page.html").read_text("utf-8")).substitute(
        heading=escape(heading),
        outcome=_outcome(sections),
        body="\n".join(bodies),
        facts=escape(facts),
        face=part("face.css"),
    )
    data = json.dumps({"heading": heading, "facts": facts, "sections": documents}, indent=1)
    write_folder(folder, {"index.html": page.encode(), MARKER: f"{data}\n".encode(), **figures}, marker=MARKER)


def _outcome(sections: Sequence[Section]) -> str:
    """Return a table of what came out of each section, with a link to it."""
    rows = []
    for each in sections:
        cells = [getattr(value, "state", "") for table in each.tables for row in table.rows for value in row]
        compared = len([*filter(None, cells)])
        told = "not complete" if each.failures or each.missing else "passed" if each.passed else "not passed"
        reached = f"{compared - cells.count('below')} of {compared}" if compared else ""
        rows.append((each.title, told, reached, "a sample" if each.sample else ""))
    shown = html.table(("", "result", "not below the paper's numbers", ""), rows)
    for each in sections:
        title = escape(each.title)
        shown = shown.replace(f"<td>{title}</td>", f'<td><a href="#{escape(each.name)}">{title}</a></td>', 1)
    return shown


def _section(section: Section, figure: bytes) -> str:
    texts = {"Question.": section.question, "Setting.": section.setting, **section.notes()}
    parts = [f'<section id="{escape(section.name)}">\n<h2>{escape(section.title)}</h2>']
    parts += [html.paragraph(heading, text) for heading, text in texts.items()]
    for table in section.tables:
        shown = html.table(table.columns, [[text_of(value) for value in row] for row in table.rows])
        parts.append(f'{html.paragraph(table.title)}<div class="wide">{shown}</div>')
    if figure:
        parts.append(f'<p><img src="data:image/svg+xml;base64,{base64.b64encode(figure).decode()}"></p>')
    parts += [html.paragraph("Not computed.", failure) for failure in section.failures]
    times = " and ".join(f"{duration(taken)} on {machine}" for machine, taken in section.seconds.items())
    parts += [html.paragraph("Meaning.", section.meaning), html.paragraph("Time.", f"{times or 'none'}.")]
    body = "\n".join(parts)
    for pattern, marked in _MARKED:
        body = re.sub(pattern, marked, body)
    return f"{body}\n</section>"


def draw(plots: Sequence[Plot]) -> bytes:
    """Return the SVG of at least one plot; the same plots give the same bytes."""
    return drawn(lambda: _figure(plots), "svg", _STYLE)


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
