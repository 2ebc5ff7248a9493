"""Showing text from an untrusted source: everything but printable ASCII is escaped."""

import re

_UNPRINTABLE = re.compile(r"[^\x20-\x7e\n]")
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\n"


def quoted(text: str, width: int = 120) -> str:
    """Return `text` in quotes and safe for a terminal, on one line.

    Args:
        text: Any text. Control and non-ASCII characters are escaped.
        width: The number of characters after which the text is cut.
    """
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
