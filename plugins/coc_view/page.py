"""The page: one HTML file that contains a document and everything needed to show it, and loads nothing else."""

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from coc_core.text import escaped


def render_page(document: Mapping[str, Any]) -> str:
    """Render the page that shows `document`, to be written in UTF-8: a timeline, as `build_timeline` returns it, with
    `title`, `problem`, `outcome`, the number of `steps` of the whole run, the `memory` (`name`, `newest_first`, the
    names of the `registers`), `facts` (pairs of texts) and `fault` (its `step`, `kind`, `message` and `text`, or None).
    No text in it can become markup or code: the page's content security policy allows the one script and the one style
    that are part of it, by their digests, and nothing else.
    """
    style, script = _part("page.css"), _part("stage.js") + _part("page.js")
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; base-uri 'none'"
    return Template(_part("page.html")).substitute(
        policy=f"{policy}; form-action 'none'",
        title=escape(escaped(f"{document['title']}: {document['problem']}")),
        style=style,
        script=script,
        data=_inert(document),
    )


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _inert(document: Mapping[str, Any]) -> str:
    """JSON without any character that has a meaning in HTML."""
    text = json.dumps(document, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
