"""Reading problems that a person or a program wrote, in the paper's notation or as JSON, one or a file of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coc_core.domain.base import Domain
from coc_core.domain.capabilities import ReadsText
from coc_core.domain.items import ReadsItems, metadata, translated
from coc_core.errors import ArtefactError, UsageError
from coc_core.storage import open_source, parse_json_object
from coc_core.text import find_unprintable, quoted

LONGEST = 1 << 24
"""The largest length of a problem, in characters."""

_LARGEST = 4 * LONGEST  # bytes of a problem
_LARGEST_FILE = 1 << 36  # bytes of a file of problems

Texts = Iterator[tuple[int | None, str]]
"""The problems in a file: the line of each, counted from 1 and None for a whole file, and its text."""


def read_problem(domain: Domain[Any, Any, Any, Any], source: str) -> Any:
    """Read a problem from what `coc_core.storage.open_source` takes; UsageError unless it is one of this domain."""
    with open_source(source, _LARGEST, "problem") as file:
        text = file.read(LONGEST + 1)
    return parse_problem(domain, text)


def parse_problem(domain: Domain[Any, Any, Any, Any], text: str) -> Any:
    """Return the problem that `text` describes; UsageError if it is not a problem of this domain."""
    stripped, as_written = text.strip(" \t\r\n"), isinstance(domain, ReadsText)  # no other blanks
    if len(text) > LONGEST:
        raise UsageError(f"the problem has more than {LONGEST:,} characters")
    if (bad := find_unprintable(stripped)) is not None and not as_written:
        raise UsageError(f"the problem contains {stripped[bad]!a}, which is not printable ASCII")
    try:
        if stripped.startswith("{") and (isinstance(domain, ReadsItems) or not as_written):
            problem = domain.problems.parse(_from_json(domain, stripped))
        else:
            problem = _as_written(domain, text) if as_written else domain.problems.parse(stripped)
    except (ValueError, ArtefactError, RecursionError) as error:
        raise UsageError(f"not a problem of {domain.name}: {error}") from None
    domain.check_size(domain.size(problem))
    return problem


def _as_written(domain: Any, text: str) -> Any:
    """Read a problem as coc writes it, or as its author did."""
    try:
        return domain.problems.parse(text.strip())
    except ValueError:
        return domain.read(text)


def _from_json(domain: Domain[Any, Any, Any, Any], text: str) -> str:
    """Rewrite a JSON object, or an item of a dataset, in the paper's notation, so that one parser reads all."""
    fields = parse_json_object(text.encode(), "the problem")
    if told := metadata(fields):
        return translated(domain, told).problem
    return domain.problems.fill({name: _notation(value) for name, value in fields.items()})


def _notation(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_notation, value)) + "]"
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"{quoted(repr(value))} is neither a number, a name nor a list of them")
    return str(value)


def text_lines(domain: Domain[Any, Any, Any, Any], path: Path) -> Texts:
    """Yield a problem on each line, in the paper's notation or as a JSON object, or as many as the domain finds in the
    lines; blank lines are skipped.
    """
    lines = numbered_lines(path)
    yield from domain.texts(lines) if isinstance(domain, ReadsText) else lines


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers."""
    with open_source(str(path), _LARGEST_FILE, "problem file") as file:
        number = 1
        while line := file.readline(LONGEST + 1):  # a longer one is refused when it is parsed
            if not line.isspace():
                yield number, line
            number += line.endswith("\n")


def whole_file(domain: Domain[Any, Any, Any, Any], path: Path) -> Texts:
    """Yield one problem, in the paper's notation or as a JSON object."""
    with open_source(str(path), _LARGEST_FILE, "problem file") as file:
        yield None, file.read(LONGEST + 1)
