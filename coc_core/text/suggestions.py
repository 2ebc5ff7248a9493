"""The name that is likely meant by one that is unknown."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.7  # of the letters of both, so that `memories` is near `memory`
_SHORTEST = 3  # letters with which a name begins that is near


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the name that is nearly `name`, has its letters, begins with it or is a part of it; None without one."""
    every, name = {each.lower(): each for each in sorted(names)}, name.lower()
    words = re.findall(r"\w+", name)

    def is_near(each: str) -> bool:
        begins = min(len(each), len(name)) >= _SHORTEST and (each.startswith(name) or name.startswith(each))
        return begins or each in words or sorted(each) == sorted(name)

    alike = get_close_matches(name, every, 1, _ALIKE)
    return every.get(alike[0] if alike else min(filter(is_near, every), key=len, default=""))
