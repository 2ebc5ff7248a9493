"""The page: one HTML file that contains a timeline and everything needed to show it, and loads nothing else."""

import base64
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from coc_core.errors import StorageError
from coc_core.text import escaped


def render_page(document: Mapping[str, Any]) -> str:
    """Render the page that shows `document`.

    No text in it can become markup or code: the page's content security policy allows the one script and the one style
    that are part of it, by their digests, and nothing else.

    Args:
        document: A timeline, as `build_timeline` returns it, with `title`, `problem`, `outcome`, the number of `steps`
            of the whole run, the `memory` (`name`, `newest_first`, the names of the `registers`), `facts` (pairs of
            texts) and `fault` (its `step`, `kind`, `message` and `text`, or None).

    Returns:
        The page, to be written in UTF-8.
    """
    style, script = _part("page.css"), _part("page.js")
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


def write_page(path: Path, text: str) -> int:
    """Write a page to `path`, which has its old content or the new one at any time.

    Returns:
        The size of the page in bytes.

    Raises:
        StorageError: The file system refused; then nothing has changed and nothing is left behind.
    """
    data = text.encode("utf-8")
    scratch: Path | None = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.absolute().parent)
        scratch = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), 0o666 & ~_umask())
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
        scratch = None
    except OSError as error:
        raise StorageError(f"can't write the page {path}: {error.strerror or error}") from None
    finally:
        if scratch is not None:
            scratch.unlink(missing_ok=True)
    return len(data)


def _umask() -> int:
    """The process's mask for new files, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
