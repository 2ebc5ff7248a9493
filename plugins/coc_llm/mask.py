"""The key, wherever an endpoint repeats it, in the forms in which programs write a text."""

import json
import re
from base64 import b64encode
from typing import Any

from attrs import field, frozen

from coc_core.text import escaped

MARKER = "[API key]"
"""What is in the place of the key."""

_LONGEST = 300  # characters of what is shown in an error
_SHORTEST = 8  # "none", "EMPTY" and "x" are no secrets, and may be a part of a target


@frozen
class Mask:
    """Replaces the key.

    Attributes:
        key: The key: printable ASCII. One of fewer than 8 characters is no secret, and is not replaced.
    """

    key: str = field(repr=False)
    _pattern: re.Pattern[str] | None = field(init=False, repr=False)

    @_pattern.default
    def _forms(self) -> re.Pattern[str] | None:
        return re.compile("|".join(_forms(self.key)), re.IGNORECASE) if len(self.key) >= _SHORTEST else None

    def text(self, text: str) -> str:
        """A text without the key."""
        return self._pattern.sub(MARKER, text) if self._pattern else text

    def line(self, words: object) -> str:
        """What a server says, without the key, in one line of printable ASCII."""
        text = escaped(" ".join(self.text(str(words)).split()))
        return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."

    def document(self, document: dict[str, Any]) -> dict[str, Any]:
        """A JSON object without the key in any of its texts, names and numbers.

        Raises:
            ValueError: The key was a part of a number.
            RecursionError: It is nested too deeply.
        """
        written = json.dumps(document)
        masked = self.text(written)
        if masked == written:
            return document
        found: dict[str, Any] = json.loads(masked)
        return found


def _forms(key: str) -> list[str]:
    """Regular expressions for the key: as it is or with characters escaped, in hexadecimal digits, and in base64.

    In base64, the key may follow other bytes, so it has three forms; a character that also depends on what surrounds
    the key is left out.
    """
    forms = ["".join(map(_character, key)), key.encode().hex()]
    for before in range(3):
        whole = b64encode(b"\0" * before + key.encode()).decode()
        certain = whole[-(-before * 8 // 6) : (before + len(key)) * 8 // 6]
        forms.append(re.escape(certain).replace("\\+", "[+-]").replace("/", "[/_]"))
    return forms


def _character(character: str) -> str:
    """A character as it is, or as JSON, a URL or HTML escapes it, once or several times over.

    No expression looks at a row of backslashes or zeros from more than one place, so that the time is linear.
    """
    number, plain = ord(character), re.escape(character)
    slashes = r"(?<!\\)\\++"
    either = f"u00{number:02x}|x{number:02x}"
    written = f"{slashes}(?:{either})?" if character == "\\" else f"{plain}|{slashes}(?:{plain}|{either})"
    return f"(?:{written}|%{number:02x}|&#0*+{number};|&#x0*+{number:x};)"
