"""Keys of a terminal: what the bytes that one press sends are called."""

import re

import typer

_PRESS = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)
_NAMES = {
    "\x1b[C": "right", "\x1bOC": "right", "\x1b[D": "left", "\x1bOD": "left",
    "\x1b[6~": "down", "\x1b[5~": "up",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end",
}  # fmt: skip


def pressed() -> list[str]:
    """Wait for keys; the names of those that came, a printable one by itself. Ctrl-C raises KeyboardInterrupt."""
    try:
        return names(typer.getchar())
    except EOFError:  # Ctrl-D
        return ["q"]


def names(text: str) -> list[str]:
    """Return the names of the keys that send `text`."""
    return [_NAMES.get(press, press) for press in _PRESS.findall(text)]
