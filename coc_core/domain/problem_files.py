"""Files of problems that a person or another program wrote: one problem a line, or one in the whole file."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coc_core.domain.base import Domain
from coc_core.domain.problems import LONGEST
from coc_core.storage import open_source

_LARGEST = 1 << 36  # bytes of a file

Texts = Iterator[tuple[int | None, str]]
"""The problems in a file: the line of each, counted from 1 and None for a whole file, and its text."""


def text_lines(domain: Domain[Any, Any, Any, Any], path: Path) -> Texts:
    """A problem on each line, in the paper's notation or as a JSON object; blank lines are skipped."""
    with open_source(str(path), _LARGEST, "problem file") as file:
        number = 1
        while line := file.readline(LONGEST + 1):  # a longer one is refused when it is parsed
            if not line.isspace():
                yield number, line
            number += line.endswith("\n")


def json_lines(domain: Domain[Any, Any, Any, Any], path: Path) -> Texts:
    """A problem on each line, as a JSON object, or as a JSON text in the paper's notation."""
    for number, line in text_lines(domain, path):
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        yield number, found if isinstance(found, str) else line


def whole_file(domain: Domain[Any, Any, Any, Any], path: Path) -> Texts:
    """One problem, in the paper's notation or as a JSON object."""
    with open_source(str(path), _LARGEST, "problem file") as file:
        yield None, file.read(LONGEST + 1)
