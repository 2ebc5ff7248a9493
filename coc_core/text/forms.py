"""Text forms: one template, used to parse and to format.

A `Form` ties a template to a record; `Forms` is a small language made of several. Parsing is strict: a text is accepted
only if formatting the result gives the same text again, so `parse` and `format` are inverse by construction.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from heapq import nlargest
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from attrs import field, fields, frozen

from coc_core.text.codec import INTEGER, Codec
from coc_core.text.display import quoted
from coc_core.text.exceptions import is_validation_error, message_of
from coc_core.text.lists import list_of
from coc_core.text.options import Word
from coc_core.text.template import Template

T = TypeVar("T")

_MOST_SHOWN = 3
"""How many forms an error shows."""


def codec_for(hint: Any) -> Codec[Any]:
    """Return the codec of a field with this type hint.

    An `int` is a plain decimal number, a `str` a text as it is, a `Literal` one of its words, and a `tuple[X, ...]` a
    list in brackets. An `Annotated[X, codec]` has that codec.

    Raises:
        TypeError: It is another hint.
    """
    kind, of = get_origin(hint), get_args(hint)
    if kind is Annotated and isinstance(of[1], Codec):
        return of[1]
    if hint is int:
        return INTEGER
    if hint is str:
        return Codec(str)
    if kind is Literal:
        return Codec(Word(words=of).read, pattern=f"(?:{'|'.join(map(re.escape, of))})")
    if kind is tuple and of[1:] == (...,):
        return list_of(codec_for(of[0]), "value")
    raise TypeError(f"no text form follows from the type {hint}; pass a Codec")


@frozen
class Form(Generic[T]):
    """A record class and its text form. A field without a codec has the one that follows from its type hint.

    Example:
        >>> from attrs import frozen
        >>> @frozen
        ... class Move:
        ...     disk: int
        ...     peg: str
        >>> form = Form.of(Move, "Move disk {disk} to {peg}")
        >>> form.format(Move(3, "left"))
        'Move disk 3 to left'
        >>> form.parse("Move disk 3 to left")
        Move(disk=3, peg='left')
        >>> form.parse("Lift disk 3") is None  # the template does not match
        True
        >>> form.parse("Move disk 03 to left")
        Traceback (most recent call last):
        ValueError: '03' is not a plain decimal number
    """

    record: type[T]
    template: Template
    codecs: Mapping[str, Codec[Any]] = field(factory=dict, repr=False)
    _fields: tuple[tuple[str, Codec[Any]], ...] = field(init=False, eq=False, repr=False)

    @_fields.default
    def _fields_with_codecs(self) -> tuple[tuple[str, Codec[Any]], ...]:
        return tuple((name, self.codecs.get(name, INTEGER)) for name in self.template.names)

    @classmethod
    def of(cls, record: type[T], template: str | None = None, /, **codecs: Codec[Any]) -> "Form[T]":
        """Make the form of an attrs class.

        Args:
            record: The attrs class.
            template: The text of the template, which names each field of the class; by default `Move disk=3 peg=left`.
            codecs: The codecs of the fields whose type hints have none, or another one, by name.

        Raises:
            TypeError: The template's fields are not those of the class, or no codec follows from a type hint.
        """
        names = [attribute.name for attribute in fields(record)]  # type: ignore[arg-type]
        hints = get_type_hints(record, include_extras=True) if {*names} - {*codecs} else {}
        if template is None:
            template = " ".join([record.__name__, *(f"{name}={{{name}}}" for name in names)])
        form = cls(
            record, Template(template), {name: codecs.get(name) or codec_for(hints.get(name, int)) for name in names}
        )
        if {*names} != {*form.template.fields}:
            raise TypeError(f"the template {template!r} must name the fields of {record.__name__}: {sorted(names)}")
        return form

    def format(self, value: T) -> str:
        """Return the text of a record."""
        return self.template.fill(tuple([codec.format(getattr(value, name)) for name, codec in self._fields]))

    def parse(self, text: str) -> T | None:
        """Return the record for `text`, or None if it does not match the template.

        Raises:
            ValueError: The template matches, but a field is malformed, or the record does not accept the values; with
                one line that says why.
        """
        found = self.template.match(text)
        if found is None:
            return None
        try:
            return self.record(**{name: codec.parse(found[name]) for name, codec in self._fields})
        except (TypeError, ValueError) as error:
            if isinstance(error, ValueError) or is_validation_error(error):
                raise ValueError(message_of(error)) from None
            raise


class Forms(Generic[T]):
    """A language of several forms, told apart by their templates. A class stands for its form without a template."""

    def __init__(self, *forms: Form[Any] | type[Any]) -> None:
        self._forms = tuple(form if isinstance(form, Form) else Form.of(form) for form in forms)
        self._by_record: dict[type[Any], Form[Any]] = {form.record: form for form in self._forms}

    def __contains__(self, value: object) -> bool:
        return type(value) in self._by_record

    def __iter__(self) -> Iterator[Form[Any]]:
        return iter(self._forms)

    def __repr__(self) -> str:
        return f"Forms({', '.join(form.record.__name__ for form in self._forms)})"

    @property
    def codec(self) -> Codec[T]:
        """The codec of a field that holds one of these records."""
        return Codec(self.parse, self.format)

    def format(self, value: T) -> str:
        """Return the text of a record.

        Raises:
            TypeError: None of the forms is for the record's class.
        """
        form = self._by_record.get(type(value))
        if form is None:
            raise TypeError(f"no text form for a {type(value).__name__}; there are {self._templates()}")
        return form.format(value)

    def parse(self, text: str) -> T:
        """Return the record for `text`.

        Raises:
            ValueError: `text` has none of the forms, or is not the spelling that `format` would give.
        """
        for form in self._forms:
            value = form.parse(text) if text.startswith(form.template.head) else None
            if value is not None:
                if form.format(value) != text:
                    raise ValueError(f"{quoted(text)} is not the usual spelling of a {form.record.__name__}")
                return value  # type: ignore[no-any-return]
        raise ValueError(f"{quoted(text)} is not of the form {self._templates(text)}")

    def fill(self, texts: Mapping[str, str]) -> str:
        """Fill in the form whose fields are exactly the keys of `texts`, without parsing the values.

        Raises:
            ValueError: No form has these fields.
        """
        for form in self._forms:
            if set(texts) == set(form.template.fields):
                return form.template.format(**texts)
        expected = " or ".join(", ".join(form.template.fields) for form in self._forms)
        raise ValueError(f"the keys are {quoted(', '.join(texts))}, expected {expected}")

    def _templates(self, text: str = "") -> str:
        """Return the forms; of many, those that begin most like the text."""
        templates = [form.template.text for form in self._forms]
        more = len(templates) - _MOST_SHOWN
        if more > 0:
            templates = nlargest(_MOST_SHOWN, templates, partial(_same_letters, text))
        shown = [*map(repr, templates), *([f"{more} others"] if more > 0 else [])]
        return " or ".join(shown) or "of anything: nothing is expected here"


def _same_letters(text: str, other: str) -> int:
    """Return how many letters two texts have in common at their beginning."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((place for place, (one, two) in pairs if one != two), min(len(text), len(other)))
