"""The key, wherever an endpoint repeats it, in the forms in which programs write a text."""

import json
import re
from base64 import b64encode, urlsafe_b64encode
from typing import Any

from attrs import field, frozen

from coc_core.text import escaped

MARKER = "[API key]"
"""What is in the place of the key."""

_ROWS = re.compile(r"\\+|.")
_LONGEST = 300  # characters of what is shown in an error
_SHORTEST = 8  # "none", "EMPTY" and "x" are no secrets, and may be a part of a target


@frozen
class Mask:
    """Replaces the key.

    Attributes:
        key: The key: printable ASCII. One of fewer than 8 characters is no secret, and is not replaced.
    """

    key: str = field(repr=False)
    _forms: list[str] = field(init=False, repr=False)
    _pattern: re.Pattern[str] = field(init=False, repr=False)

    @_forms.default
    def _plain(self) -> list[str]:
        return [form.lower() for form in (self.key, self.key.encode().hex(), *_in_base64(self.key))]

    @_pattern.default
    def _any_form(self) -> re.Pattern[str]:
        return re.compile(
            "|".join(
                ["".join(_characters(each[0]) for each in _ROWS.finditer(self.key)), *map(re.escape, self._forms)]
            ),
            re.IGNORECASE,
        )

    def text(self, text: str) -> str:
        """A text without the key."""
        if len(self.key) < _SHORTEST:
            return text
        lower = text.lower()
        if not any(mark in lower for mark in ("\\", "%", "&", *self._forms)):
            return text  # which is found out faster than by the pattern
        return self._pattern.sub(MARKER, text)

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


def _in_base64(key: str) -> list[str]:
    """The key in base64, in both alphabets.

    It may follow other bytes, so it has three forms; a character that also depends on what surrounds the key is left
    out.
    """
    forms = []
    for before in range(3):
        for encode in (b64encode, urlsafe_b64encode):
            whole = encode(b"\0" * before + key.encode()).decode()
            forms.append(whole[-(-before * 8 // 6) : (before + len(key)) * 8 // 6])
    return forms


def _characters(row: str) -> str:
    """A character, or several backslashes, of which nobody can tell in an escaped text how many they are."""
    return _character(row) if len(row) == 1 else f"{_character(row[0])}{{1,{len(row)}}}"


def _character(character: str) -> str:
    """A character as it is, or as JSON, a URL or HTML escapes it, once or several times over.

    No expression looks at a row of backslashes or zeros from more than one place, so that the time is linear.
    """
    number, plain = ord(character), re.escape(character)
    slashes = r"(?<!\\)\\++"
    either = f"u00{number:02x}|x{number:02x}"
    written = f"{slashes}(?:{either})?" if character == "\\" else f"{plain}|{slashes}(?:{plain}|{either})"
    return f"(?:{written}|%{number:02x}|&#0*+{number};|&#x0*+{number:x};)"
