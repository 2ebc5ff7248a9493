"""The report as one page of HTML that needs no network: figures and style are in it."""

import base64
import re
from collections.abc import Iterable, Mapping
from html import escape

from coc_paper.report.section import Section, Table, Value, state_of, text_of

_CODE = re.compile("`([^`]+)`")
_STYLE = """
:root { color-scheme: light dark; --line: #8885; --below: #b3261e; --above: #1b7f4b; }
@media (prefers-color-scheme: dark) {
  :root { --below: #ff8a80; --above: #7bd8a5; }
  img { filter: invert(1) hue-rotate(180deg); }
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
nav ul { columns: 16rem; padding-left: 1.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 0.5rem 0; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { border: 1px solid var(--line); padding: 0.15rem 0.5rem; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
.below { color: var(--below); font-weight: 600; }
.above { color: var(--above); }
.sample { border-left: 4px solid var(--line); padding-left: 0.8rem; }
.failed { color: var(--below); }
img { max-width: 100%; height: auto; }
footer, small { opacity: 0.8; }
"""


def page(sections: Iterable[Section], figures: Mapping[str, bytes], heading: str, facts: str) -> str:
    """Return the page.

    Args:
        sections: The report.
        figures: The SVG of each section's figure, by the section's name.
        heading: The title.
        facts: How it was made, in a line.
    """
    listed = list(sections)
    links = "".join(f'<li><a href="#{escape(each.name)}">{escape(each.title)}</a></li>' for each in listed)
    body = "\n".join(_section(each, figures.get(each.name)) for each in listed)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        'img-src data:">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(heading)}</title>\n<style>{_STYLE}</style>\n<h1>{escape(heading)}</h1>\n"
        "<p>In a table, a number in parentheses is the paper's. A cell below the paper's is red"
        " and has the mark ▼, one above it is green.</p>\n"
        f"<nav><ul>{links}</ul></nav>\n{body}\n<footer><p>{escape(facts)}</p></footer>\n</html>\n"
    )


def _section(section: Section, figure: bytes | None) -> str:
    parts = [
        f'<section id="{escape(section.name)}">\n<h2>{escape(section.title)}</h2>',
        f"<p><strong>Question.</strong> {_text(section.question)}</p>",
        f"<p><strong>Setting.</strong> {_text(section.setting)}</p>",
    ]
    parts += [
        f'<p class="sample"><strong>{escape(heading)}</strong> {_text(text)}</p>' for heading, text in section.notes
    ]
    parts += [_table(table) for table in section.tables]
    if figure is not None:
        data = base64.b64encode(figure).decode()
        parts.append(f'<p><img alt="{escape(section.title)}" src="data:image/svg+xml;base64,{data}"></p>')
    parts += [f'<p class="failed">Not computed: {escape(failure)}</p>' for failure in section.failures]
    parts.append(f"<p><strong>Meaning.</strong> {_text(section.meaning)}</p>")
    parts.append(f"<p><small>{escape(section.time)}</small></p>\n</section>")
    return "\n".join(parts)


def _text(text: str) -> str:
    """Return a text with its `code`."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    return f'<div class="wide"><table>{caption}<tr>{head}</tr>\n{rows}</table></div>'


def _cell(value: Value) -> str:
    state, text = state_of(value), escape(text_of(value))
    return f'<td class="{state}">{text}</td>' if state else f"<td>{text}</td>"
