"""Texts that are wrong, made of right ones, and texts that nobody should send."""

import random
import re

HOSTILE = (
    "",
    " ",
    "\n",
    "What?",
    "\x00",
    "\x1b[2J",
    "\u00e9\u0301 \U0001f600",
    "[" * 200,
    "9" * 400,
    "\r\n\t",
    "nobody " * 300,
    "\ud800",
)
"""Texts of no convention: empty, in no ASCII, with control characters, deep, long, half a character."""

_NUMBER = re.compile(r"-?[0-9]+")
_NUMBERS = ("-1", "0", "1", "2", "3", "7", "-2", "00", "99", "9" * 19, "9" * 20, "x")


def spoilt(text: str, rng: random.Random) -> str:
    """A text like `text` that is probably no right answer; all chance comes from `rng`."""
    return rng.choice((_renumbered, _renumbered, _cut, _scrambled, _relined))(text, rng)


def spoilt_texts(text: str, count: int) -> list[str]:
    """The unwritten texts and so many spoilt ones, always the same."""
    rng = random.Random(f"spoilt {text}")
    return [*HOSTILE, *(spoilt(text, rng) for _ in range(count))]


def _renumbered(text: str, rng: random.Random) -> str:
    """One number is another."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return text + rng.choice(_NUMBERS)
    here = rng.choice(found)
    return text[: here.start()] + rng.choice(_NUMBERS) + text[here.end() :]


def _cut(text: str, rng: random.Random) -> str:
    """The end is missing."""
    return text[: rng.randint(0, len(text))]


def _scrambled(text: str, rng: random.Random) -> str:
    """Some characters are missing, or are others that the text holds."""
    characters = list(text)
    for _ in range(rng.randint(1, 3)):
        place = rng.randint(0, len(characters))
        characters[place : place + 1] = rng.choices(text or "x", k=rng.randint(0, 2))
    return "".join(characters)


def _relined(text: str, rng: random.Random) -> str:
    """A line is missing, or stands twice, or they stand in another order."""
    lines = text.split("\n")
    place = rng.randrange(len(lines))
    return "\n".join(rng.choice((lines[:place] + lines[place + 1 :], lines[: place + 1] + lines[place:], lines[::-1])))
