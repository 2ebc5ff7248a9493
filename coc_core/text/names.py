"""Names of things: letters and a number, such as `B12`. Which things a problem has does not depend on their names."""

import re
from collections.abc import Collection, Mapping

_NAME = re.compile("(?<![A-Za-z0-9])([A-Za-z]+)[0-9]+", re.ASCII)


def names_in(text: str, letters: Collection[str]) -> set[str]:
    """The names in a text that begin with one of these letters, or groups of letters, before the number."""
    return {found[0] for found in _NAME.finditer(text) if found[1] in letters}


def rename(text: str, names: Mapping[str, str]) -> str:
    """The text with each name replaced by that which `names` has for it; others stay."""
    return _NAME.sub(lambda found: names.get(found[0], found[0]), text)
