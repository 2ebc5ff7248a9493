"""The special tokens, and what a token of the kind `exact` is.

That kind reads a text as names (letters with a number behind them, `B12`), single digits, and the chunks between
them (` CALL n=`), each a token of its own. Before that the text is turned inward: the digits of a number that is no
name stand in reverse, the units first, so that a sum can be written from left to right; and between two names a comma
with a space is implied, so that a list has as many tokens as items.
"""

import re

SPECIALS = ("[PAD]", "[BOS]", "[EOS]", "[UNK]")
PAD, BOS, EOS, UNK = range(len(SPECIALS))
MOST_DIALECTS = 16
SEPARATOR = "\n"
NO_TEXT = "\ufffd"
"""Stands for what has no text. No convention's targets hold it, so a target with it is a protocol fault."""

SPACE = "\u2581"
"""Stands for a space at the front of a word in the kinds `merged` and `digits`."""

_NAME = "[A-Za-z]+[0-9]+"
_PLAIN = f"(?:(?!{_NAME})[^0-9\\[])"
PATTERN = rf"{_NAME}|[0-9]|{_PLAIN}*\[+-?|{_PLAIN}+"
"""A token: a name, a digit, or a chunk. A chunk ends where a list begins, so that an empty list has its two ends."""

FIELD, ITEM, SYMBOL = range(3)
"""Which counter a token moves on; see `kind_of`."""

_COMMA = re.compile(r"[\[\]() ]*,[\[\]() ,]*")
_IMPLIED = ", "
ADJACENT = "\u2060"
"""Stands between two names that have nothing between them."""

_TURNING = {
    dropped: re.compile(f"(?P<names>{_NAME}(?:(?:{dropped})?{_NAME})*)|[0-9]+") for dropped in (_IMPLIED, ADJACENT)
}
"""A run of names, which may have what is dropped between them, or a number."""
_JUNCTION = re.compile("(?<=[0-9])(?=[A-Za-z])")
"""Where, in such a run, one name follows another at once."""


def specials(dialects: int) -> tuple[str, ...]:
    """The special tokens in the order of their ids. Where there are several dialects each has one to begin with."""
    return (*SPECIALS, *(f"[DIALECT{index}]" for index in range(dialects if dialects > 1 else 0)))


def normalise(text: str) -> str:
    """The text as its tokens are read from it."""
    return _rewritten(text.replace(ADJACENT, NO_TEXT), _IMPLIED, ADJACENT)


def denormalise(text: str) -> str:
    """The text that `normalise` turned into this one."""
    return _rewritten(text, ADJACENT, _IMPLIED)


def kind_of(token: str) -> int:
    """FIELD, ITEM or SYMBOL: a digit goes on within its item, a name or a comma begins an item, all else a field."""
    if re.fullmatch("[0-9]", token):
        return SYMBOL
    return ITEM if re.fullmatch(_NAME, token) or _COMMA.fullmatch(token) else FIELD


def stem_of(token: str) -> str | None:
    """The letters of a name, None for any other token."""
    return token.rstrip("0123456789") if re.fullmatch(_NAME, token) else None


def _rewritten(text: str, dropped: str, added: str) -> str:
    """Numbers mirrored; between two names `dropped` is left out, and `added` stands where there was nothing."""

    def turn(found: re.Match[str]) -> str:
        return _JUNCTION.sub(added, found[0]).replace(dropped, "") if found["names"] else found[0][::-1]

    return _TURNING[dropped].sub(turn, text)
