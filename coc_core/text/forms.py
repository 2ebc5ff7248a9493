"""Text forms: one template, read in both directions.

A `Template` is a line with named fields, such as `MOVE d={disk} src={src}`. A `Form` ties a template to a
record; `Forms` is the small language made of several. Reading is strict: a text is accepted only if writing
what was read gives the same text again, so `parse` and `format` are inverse by construction.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from attrs import Factory, field, fields, frozen

T = TypeVar("T")

_DECIMAL = re.compile(r"(?:0|[1-9][0-9]{0,18})\Z", re.ASCII)
_FIELD = re.compile(r"\{([A-Za-z_]+)\}")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\n]")


def parse_decimal(text: str) -> int:
    """The number that `text` writes in plain decimal: ASCII digits, no sign, no leading zero, at most 19 digits."""
    if not _DECIMAL.match(text):
        raise ValueError(f"{shown(text, 24)} is not a plain decimal number")
    return int(text)


def parse_number(text: str) -> int:
    """A plain decimal number, or -1: the only negative number that an address can be."""
    return -1 if text == "-1" else parse_decimal(text)


def shown(text: str, width: int = 120) -> str:
    """`text` in quotes, safe for a terminal (control and non-ASCII characters escaped) and cut to `width`."""
    return ascii(text if len(text) <= width else text[: width - 1] + "...")


def visible(text: str) -> str:
    """`text` with its lines as they are and every other character that is no printable ASCII as an escape."""
    return _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


def unprintable(text: str) -> int | None:
    """The offset of the first character that is neither printable ASCII nor a newline."""
    found = _UNPRINTABLE.search(text)
    return found.start() if found else None


class Template:
    """A line of text with named fields. A field that stands twice must hold the same text twice."""

    def __init__(self, text: str) -> None:
        self.text = text
        parts = _FIELD.split(text)  # literal, name, literal, name, ..., literal
        names, literals = parts[1::2], parts[2::2]
        self.fields = tuple(dict.fromkeys(names))
        pattern = re.escape(parts[0])
        for index, (name, literal) in enumerate(zip(names, literals, strict=True)):
            value = f"(?P={name})" if name in names[:index] else f"(?P<{name}>[^\n]*?)"
            # Atomic: a field ends where the next literal first stands, for good. So matching takes linear time.
            closing = re.escape(literal) if index < len(names) - 1 else re.escape(literal) + r"\Z"
            pattern += f"(?>{value}{closing})"
        self._regex = re.compile(pattern)
        self.format: Callable[..., str] = text.format

    def match(self, text: str) -> dict[str, str] | None:
        """The fields' texts, or None if `text` is not of this form."""
        found = self._regex.fullmatch(text)
        return found.groupdict() if found else None

    def __repr__(self) -> str:
        return f"Template({self.text!r})"


@frozen
class Codec(Generic[T]):
    """How one field is written and read. `parse` raises ValueError on any other text."""

    parse: Callable[[str], T]
    format: Callable[[T], str] = str


INTEGER = Codec(parse_decimal)


@frozen
class Form(Generic[T]):
    """A record class and its one text. A field without a codec is a plain decimal number."""

    record: type[T]
    template: Template
    codecs: Mapping[str, Codec[Any]] = Factory(dict)
    _fields: tuple[tuple[str, Codec[Any]], ...] = field(init=False, eq=False, repr=False)

    @_fields.default
    def _each_with_its_codec(self) -> tuple[tuple[str, Codec[Any]], ...]:
        return tuple((name, self.codecs.get(name, INTEGER)) for name in self.template.fields)

    @classmethod
    def of(cls, record: type[T], template: str, **codecs: Codec[Any]) -> "Form[T]":
        """The form of the attrs class `record`; `template` names each of its fields."""
        names = {attribute.name for attribute in fields(record)}  # type: ignore[arg-type]
        form = cls(record, Template(template), codecs)
        if names != set(form.template.fields):
            raise TypeError(f"the template {template!r} must name the fields of {record.__name__}: {sorted(names)}")
        return form

    def format(self, value: T) -> str:
        """The text of `value`."""
        return self.template.format(**{name: codec.format(getattr(value, name)) for name, codec in self._fields})

    def parse(self, text: str) -> T | None:
        """The record that `text` writes; None if it is of another form; ValueError if a field is malformed."""
        found = self.template.match(text)
        if found is None:
            return None
        return self.record(**{name: codec.parse(found[name]) for name, codec in self._fields})


class Forms(Generic[T]):
    """A language of several forms, told apart by their templates."""

    def __init__(self, *forms: Form[Any]) -> None:
        self._forms = forms
        self._by_record: dict[type[Any], Form[Any]] = {form.record: form for form in forms}

    def __contains__(self, value: object) -> bool:
        return type(value) in self._by_record

    def format(self, value: T) -> str:
        """The text of `value`; TypeError if no form here is for its class."""
        form = self._by_record.get(type(value))
        if form is None:
            raise TypeError(f"no text form for a {type(value).__name__}; there are {self._templates()}")
        return form.format(value)

    def parse(self, text: str) -> T:
        """The record that `text` writes; ValueError if there is none."""
        for form in self._forms:
            value = form.parse(text)
            if value is not None:
                if form.format(value) != text:
                    raise ValueError(f"{shown(text)} is not the usual spelling of a {form.record.__name__}")
                return value  # type: ignore[no-any-return]
        raise ValueError(f"{shown(text)} is not of the form {self._templates()}")

    def fill(self, texts: Mapping[str, str]) -> str:
        """The text of the form whose fields are just the keys of `texts`; ValueError if there is none."""
        for form in self._forms:
            if set(texts) == set(form.template.fields):
                return form.template.format(**texts)
        expected = " or ".join(", ".join(form.template.fields) for form in self._forms)
        raise ValueError(f"the keys are {shown(', '.join(texts))}, expected {expected}")

    def _templates(self) -> str:
        return " or ".join(repr(form.template.text) for form in self._forms) or "of anything: nothing is expected here"
