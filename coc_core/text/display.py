"""What people are shown: text from an untrusted source, escaped; and quantities in sentences, such as `2,048 steps`."""

import re
from collections.abc import Iterable

_UNPRINTABLE = re.compile(r"[^\x20-\x7e\n]")
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\n"


def quoted(text: str, width: int = 120) -> str:
    """Return any text in quotes on one line, safe for a terminal: all but printable ASCII escaped, cut at `width`."""
    return ascii(text if len(text) <= width else text[: width - 1] + "...")


def shortened(text: str, width: int) -> str:
    """Return `text`, cut after `width` characters; an ellipsis follows where it was."""
    return text if len(text) <= width else f"{text[:width]}…"


def escaped(text: str) -> str:
    """Return `text` with everything escaped but printable ASCII and newlines."""
    return _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


def find_unprintable(text: str) -> int | None:
    """Return the offset of the first character that is neither printable ASCII nor a newline, None without one."""
    if text.isascii() and not text.encode().translate(None, _PRINTABLE):  # much faster
        return None
    found = _UNPRINTABLE.search(text)
    return found.start() if found else None


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun, which is by default made plural by an `s`."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it, such as `0.4 ms`, `3.21 s` or `2 min 05 s`."""
    if seconds < 0.01:
        return f"{1_000 * seconds:.1f} ms"
    if seconds < 0.9995:
        return f"{1_000 * seconds:.0f} ms"
    if seconds < 99.95:
        return f"{seconds:.2f} s" if seconds < 9.995 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:,} min {rest:02} s"


def format_sizes(sizes: Iterable[int]) -> str:
    """Return sizes of problems, each once and in ascending order, such as `1-3,5`."""
    runs: list[list[int]] = []
    for size in sorted(set(sizes)):
        if runs and runs[-1][-1] == size - 1:
            runs[-1][1:] = [size]
        else:
            runs.append([size])
    return ",".join("-".join(map(str, run)) for run in runs)
