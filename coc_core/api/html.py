"""How results show themselves in a notebook: plain HTML, without scripts, every text escaped."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

WIDTH = 48
"""How many characters wide a picture is, where that is possible."""


def image(svg: bytes, words: str) -> str:
    """Return a picture, which can't reach the rest of the notebook, and what it shows in words."""
    return f'<p><img alt="{escape(words)}" src="data:image/svg+xml;base64,{b64encode(svg).decode()}"></p>'


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of texts."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heading)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def paragraph(first: str, rest: str = "") -> str:
    """Return a line of text whose beginning is bold."""
    return f"<p><b>{escape(first)}</b> {escape(rest)}</p>"
