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

from coc_core.storage import write_folder
from coc_paper.item import naming
from coc_paper.report.figure import draw
from coc_paper.report.section import Section, Table, Value, state_of, text_of

MARKER = "report.json"


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
        name = f"{each.name}.svg"
        with naming(each.name):
            if each.plots:
                figures[name] = draw(each.plots, style)
            bodies.append(_section(each, figures.get(name)))
            documents.append(json.loads(json.dumps(asdict(each), allow_nan=False)))
    links = "".join(f'<li><a href="#{escape(each.name)}">{escape(each.title)}</a></li>' for each in sections)
    page = Template(files(__package__).joinpath("page.html").read_text("utf-8")).substitute(
        heading=escape(heading), links=links, body="\n".join(bodies), facts=escape(facts)
    )
    data = json.dumps({"heading": heading, "facts": facts, "sections": documents}, indent=1)
    write_folder(folder, {"index.html": page.encode(), MARKER: f"{data}\n".encode(), **figures}, marker=MARKER)


def _section(section: Section, figure: bytes | None) -> str:
    title = escape(section.title)
    parts = [f'<section id="{escape(section.name)}">\n<h2>{title}</h2>']
    parts += [_paragraph("Question.", section.question), _paragraph("Setting.", section.setting)]
    parts += [_paragraph(heading, text, ' class="sample"') for heading, text in section.notes.items()]
    parts += map(_table, section.tables)
    if figure is not None:
        data = base64.b64encode(figure).decode()
        parts.append(f'<p><img alt="{title}" src="data:image/svg+xml;base64,{data}"></p>')
    parts += [f'<p class="failed">Not computed: {escape(failure)}</p>' for failure in section.failures]
    parts.append(_paragraph("Meaning.", section.meaning))
    return "\n".join([*parts, f"<p><small>{escape(section.time)}</small></p>\n</section>"])


def _paragraph(heading: str, text: str, kind: str = "") -> str:
    marked = re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))
    return f"<p{kind}><strong>{heading}</strong> {marked}</p>"


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    return f'<div class="wide"><table>{caption}<tr>{head}</tr>\n{rows}</table></div>'


def _cell(value: Value) -> str:
    kind = f' class="{state_of(value)}"' if state_of(value) else ""
    return f"<td{kind}>{escape(text_of(value))}</td>"
