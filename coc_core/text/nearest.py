"""The name that is likely meant by one that is unknown."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.75  # of the letters of both, so that one wrong letter in four is near
_SHORTEST = 3  # letters with which a name begins that is near


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of some names that is nearly `name`, has its letters, or begins with it or the other way; None if none.

    A name such as `tower-of-hanoi` is near each of its words, too.
    """
    every, name = sorted(names), name.lower()
    words = re.findall(r"\w+", name)

    def is_near(each: str) -> bool:
        begins = min(len(each), len(name)) >= _SHORTEST and (each.startswith(name) or name.startswith(each))
        return begins or each in words or sorted(each) == sorted(name)

    close = get_close_matches(name, every, 1, _ALIKE)
    return close[0] if close else min(filter(is_near, every), key=len, default=None)
