"""A template: a line of text with named fields, such as `MOVE d={disk} src={src}`."""

import re
from collections.abc import Callable

_FIELD = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


class Template:
    """A line of text with named fields. A field that appears twice must hold the same text both times."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._head, *rest = _FIELD.split(text)  # literal, name, literal, name, ..., literal
        self._rest = tuple(zip(rest[::2], rest[1::2], strict=True))
        self.fields = tuple(dict.fromkeys(rest[::2]))
        self.format: Callable[..., str] = text.format
        literals = [part.replace("%", "%%") for part in (self._head, *rest[1::2])]
        self.names, self.fill = rest[::2], "%s".join(literals).__mod__
        """The field at each place, and the text with a tuple of values at these places."""

    def match(self, text: str) -> dict[str, str] | None:
        """Return the text of each field by name, or None if `text` does not match.

        A field has no line break, and ends at the first occurrence of the literal after it; the last one ends with the
        text. So matching takes linear time.
        """
        if not text.startswith(self._head):
            return None
        found, place, left = dict[str, str](), len(self._head), len(self._rest)
        for name, literal in self._rest:
            left -= 1
            if name in found:
                end = place + len(found[name])
            else:
                end = text.find(literal, place) if left else len(text) - len(literal)
            value = text[place:end]
            if end < place or "\n" in value or not text.startswith(literal, end) or found.get(name, value) != value:
                return None
            found[name] = value
            place = end + len(literal)
        return found if place == len(text) else None

    def __repr__(self) -> str:
        return f"Template({self.text!r})"
