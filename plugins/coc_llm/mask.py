"""The key, wherever an endpoint repeats it."""

import json
from typing import Any

from attrs import field, frozen

from coc_core.text import escaped

MARKER = "[API key]"
"""What is in the place of the key."""

_LONGEST = 300  # characters of what is shown in an error
_SHORTEST = 8  # "none", "EMPTY" and "x" are no secrets, and may be a part of a target


@frozen
class Mask:
    """Replaces the key, which is printable ASCII. One of fewer than 8 characters is no secret, and is not replaced."""

    key: str = field(repr=False)

    def text(self, text: str) -> str:
        """Return a text without the key, also as JSON writes it."""
        if len(self.key) < _SHORTEST:
            return text
        return text.replace(json.dumps(self.key)[1:-1], MARKER).replace(self.key, MARKER)

    def line(self, words: object) -> str:
        """Return what a server says, without the key, in one line of printable ASCII."""
        text = escaped(" ".join(self.text(str(words)).split()))
        return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."

    def document(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return a JSON object without the key in any text, name or number; ValueError if it was a part of a number,
        RecursionError if the object is nested too deeply.
        """
        found: dict[str, Any] = json.loads(self.text(json.dumps(document)))
        return found
