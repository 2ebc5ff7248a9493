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
from coc_paper.item import naming
from coc_paper.report.figure import draw
from coc_paper.report.section import Section, text_of

MARKER = "report.json"
_MARKED = (("`([^`<]+)`", r"<code>\1</code>"), ("<td>([^<]+ ▼)</td>", r'<td class="below">\1</td>'))
"""What looks otherwise than the text around it."""


def write(folder: Path, sections: Sequence[Section], heading: str, facts: str, style: str | None = None) -> None:
    """Write the report whole; a former one there is replaced.

    Args:
        folder: Where it goes.
        sections: What it consists of.
        heading: Its title.
        facts: How it was made, in a line.
        style: How figures look, as for `check_style`.

    Raises:
        UsageError: Something else is in the folder.
        PluginError: A section has values of wrong types.
        StorageError: It can't be written.
    """
    figures, bodies, documents = dict[str, bytes](), list[str](), list[Any]()
    for each in sections:
        with naming(each.name):
            figure = draw(each.plots, style) if each.plots else b""
            bodies.append(_section(each, figure))
            documents.append(json.loads(json.dumps(asdict(each), allow_nan=False)))
        figures |= {f"{each.name}.svg": figure} if figure else {}
    links = "".join(f'<li><a href="#{escape(each.name)}">{escape(each.title)}</a></li>' for each in sections)
    page = Template(files(__package__).joinpath("page.html").read_text("utf-8")).substitute(
        heading=escape(heading), links=links, body="\n".join(bodies), facts=escape(facts)
    )
    data = json.dumps({"heading": heading, "facts": facts, "sections": documents}, indent=1)
    write_folder(folder, {"index.html": page.encode(), MARKER: f"{data}\n".encode(), **figures}, marker=MARKER)


def _section(section: Section, figure: bytes) -> str:
    texts = {"Question.": section.question, "Setting.": section.setting, **section.notes}
    parts = [f'<section id="{escape(section.name)}">\n<h2>{escape(section.title)}</h2>']
    parts += [html.paragraph(heading, text) for heading, text in texts.items()]
    for table in section.tables:
        shown = html.table(table.columns, [[text_of(value) for value in row] for row in table.rows])
        parts.append(f'{html.paragraph(table.title)}<div class="wide">{shown}</div>')
    if figure:
        parts.append(f'<p><img src="data:image/svg+xml;base64,{base64.b64encode(figure).decode()}"></p>')
    parts += [html.paragraph("Not computed.", failure) for failure in section.failures]
    body = "\n".join([*parts, html.paragraph("Meaning.", section.meaning), html.paragraph("Time.", section.time)])
    for pattern, marked in _MARKED:
        body = re.sub(pattern, marked, body)
    return f"{body}\n</section>"
