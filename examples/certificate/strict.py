"""Reading files that nobody vouches for: strict JSON, of at most so many bytes."""

import json
import math
import stat
from pathlib import Path
from typing import Any

MOST_DIGITS = 300


class Refused(Exception):
    """What is wrong with a certificate."""


def require(holds: bool, reason: str) -> None:
    """Refuse unless something holds."""
    if not holds:
        raise Refused(reason)


def read(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file, of which there may be so many."""
    found = path.stat()
    require(stat.S_ISREG(found.st_mode), f"{path.name} is not a regular file")
    require(found.st_size <= most, f"{path.name} has {found.st_size:,} bytes, and {most:,} are allowed")
    return path.read_bytes()


def parsed(data: bytes, what: str) -> dict[str, Any]:
    """Return a JSON object, in which no key stands twice and all numbers are finite."""
    try:
        document = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_int=_whole,
            parse_float=_finite,
        )
    except (ValueError, RecursionError) as error:
        raise Refused(f"{what} is not strict JSON: {error}") from None
    require(type(document) is dict, f"{what} is not a JSON object")
    return document  # type: ignore[no-any-return]


def fields(entry: Any, what: str, kinds: dict[str, type | tuple[type, ...]]) -> None:
    """Refuse an object unless it has exactly these keys, with values of these types."""
    require(type(entry) is dict and entry.keys() == kinds.keys(), f"{what} must have {', '.join(kinds)}")
    for name, kind in kinds.items():
        require(
            type(entry[name]) in (kind if isinstance(kind, tuple) else (kind,)),
            f"{name!r} of {what} is {entry[name]!r:.60}",
        )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key appears twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _whole(text: str) -> int:
    if text == "-0" or len(text) > MOST_DIGITS:
        raise ValueError(f"{text:.20} is written otherwise, or has too many digits")
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number
