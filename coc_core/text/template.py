"""A template: a line of text with named fields, such as `MOVE d={disk} src={src}`."""

import re
from collections.abc import Callable

_FIELD = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


class Template:
    """A line of text with named fields. A field that appears twice must hold the same text both times."""

    def __init__(self, text: str) -> None:
        self.text = text
        parts = _FIELD.split(text)  # literal, name, literal, name, ..., literal
        names, literals = parts[1::2], parts[2::2]
        self.fields = tuple(dict.fromkeys(names))
        pattern = re.escape(parts[0])
        for index, (name, literal) in enumerate(zip(names, literals, strict=True)):
            last = index == len(names) - 1
            lazily = "" if last and not literal else "?"  # what ends with the text need not look for its end
            value = f"(?P={name})" if name in names[:index] else f"(?P<{name}>[^\n]*{lazily})"
            # Atomic: a field ends at the first occurrence of the next literal. So matching takes linear time.
            closing = re.escape(literal) + r"\Z" * last
            pattern += f"(?>{value}{closing})"
        self._regex = re.compile(pattern)
        self.format: Callable[..., str] = text.format

    def match(self, text: str) -> dict[str, str] | None:
        """Return the text of each field by name, or None if `text` does not match."""
        found = self._regex.fullmatch(text)
        return found.groupdict() if found else None

    def __repr__(self) -> str:
        return f"Template({self.text!r})"
