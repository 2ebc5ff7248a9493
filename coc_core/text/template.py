"""Templates: lines of text with named fields, such as `MOVE d={disk} src={src}`; and the surface of a convention."""

import re
from collections.abc import Callable

from attrs import Factory, converters, field, frozen

_FIELD = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


class Template:
    """A line of text with named fields. A field that appears twice must hold the same text both times."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.head, *rest = _FIELD.split(text)  # literal, name, literal, name, ..., literal
        self.names, self._literals = rest[::2], rest[1::2]
        self.fields = tuple(dict.fromkeys(self.names))
        self.format: Callable[..., str] = text.format
        self.fill = "%s".join(part.replace("%", "%%") for part in (self.head, *self._literals)).__mod__
        """Returns the text with a tuple of values in the places of `names`, like `format` and faster."""

    def match(self, text: str) -> dict[str, str] | None:
        """Return the text of each field by name, or None if `text` does not match.

        A field has no line break, and ends at the first occurrence of the literal after it; the last one ends with the
        text. So matching takes linear time.
        """
        if not text.startswith(self.head):
            return None
        if self._literals == [""]:
            value = text.removeprefix(self.head)
            return None if "\n" in value else {self.names[0]: value}
        found, place, left = dict[str, str](), len(self.head), len(self.names)
        for name, literal in zip(self.names, self._literals, strict=True):
            left -= 1
            end = text.find(literal, place) if left else len(text) - len(literal)
            if name in found:
                end = place + len(found[name])
            value = text[place:end]
            if end < place or "\n" in value or not text.startswith(literal, end) or found.get(name, value) != value:
                return None
            found[name] = value
            place = end + len(literal)
        return found if place == len(text) else None

    def __repr__(self) -> str:
        return f"Template({self.text!r})"


@frozen
class Surface:
    """The templates of one convention in one notation.

    A target consists of what the step emits, a `write` for each new window, and `registers`, in this order.

    Attributes:
        prompt: What the model reads.
        write: How a target writes one window.
        registers: How a target writes the registers, None if the convention has none.
        join: The separator between the parts of a target.
        close: The separator between the last emission and the registers of a target that writes no window. The paper's
            symbolic setting has a space there.
    """

    prompt: Template = field(converter=Template)
    write: Template = field(converter=Template)
    registers: Template | None = field(default=None, converter=converters.optional(Template))
    join: str = "\n"
    close: str = Factory(lambda self: self.join, takes_self=True)
