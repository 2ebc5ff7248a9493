"""Names of things: letters and a number, such as `B12`. Which things a problem has does not depend on their names."""

import re
from collections.abc import Collection, Mapping

_NAME = re.compile("(?<![A-Za-z0-9])([A-Za-z]+)[0-9]+", re.ASCII)


def letters_in(text: str) -> set[str]:
    """Return the letters, or groups of letters, before the number of each name in the text."""
    return {found[1] for found in _NAME.finditer(text)}


def names_in(text: str, letters: Collection[str]) -> set[str]:
    """Return the names in a text that begin with one of these letters, or groups of letters, before the number."""
    return {found[0] for found in _NAME.finditer(text) if found[1] in letters}


def number_names(text: str, letters: Collection[str]) -> tuple[str, dict[str, str]]:
    """Return the text with its names numbered in order, each occurrence anew, and the name that each stands for.

    Names of other letters stay as they are.
    """
    meant = dict[str, str]()

    def numbered(found: re.Match[str]) -> str:
        if found[1] not in letters:
            return found[0]
        name = f"{found[1]}{len(meant) + 1}"
        meant[name] = found[0]
        return name

    return _NAME.sub(numbered, text), meant


def rename(text: str, names: Mapping[str, str]) -> str:
    """Return the text with each name replaced by that which `names` has for it; others stay."""
    return _NAME.sub(lambda found: names.get(found[0], found[0]), text)
