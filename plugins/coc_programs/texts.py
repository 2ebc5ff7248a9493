"""What instructions, records and results of a compiled program hold, and how texts write them."""

import re
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from coc_core.text import Codec, quoted
from coc_programs.kinds import Kinds
from coc_programs.record import Record

AT, GOT = "record", "result"
"""The fields of instructions that hold the record or the result that a step is given."""
WORDS = {AT: "AT", GOT: "GOT"}

Fields = tuple[tuple[str, Any], ...]
"""Fields of a record with their values, in the order of the class."""


@frozen
class Shown:
    """A record that an instruction names, with all fields once it has been read, and none before."""

    reference: Record
    fields: Fields = ()


@frozen
class Written:
    """A record that a step writes: some of its fields, or all if it is new."""

    reference: Record
    fields: Fields


@frozen
class Result:
    """What a procedure returns."""

    value: Any


@frozen
class Ended:
    """A note: a procedure has ended without a result, and there was nothing else to write."""


NOT_YET: Any = object()
"""Stands for a result that is not there yet."""


def fields_codec(kinds: Mapping[str, Kinds], *, whole: bool = False) -> Codec[Fields]:
    """Return the codec of fields in the order of the class, such as `next=C2 seen=no`."""
    codecs = {name: each.codec for name, each in kinds.items()}

    def parse(text: str) -> Fields:
        found = list[tuple[str, Any]]()
        for part in text.split(" "):
            name, _, value = part.partition("=")
            if name not in codecs:
                raise ValueError(f"{quoted(part, 24)} is not a field of {', '.join(codecs)}")
            found.append((name, codecs[name].parse(value)))
        names = [name for name, _ in found]
        if names != [name for name in codecs if whole or name in names]:
            raise ValueError(f"{quoted(text, 60)} does not have the fields {', '.join(codecs)} in this order")
        return tuple(found)

    def write(fields: Fields) -> str:
        return " ".join([f"{name}={codecs[name].format(value)}" for name, value in fields])

    each = [f"{re.escape(name)}={codec.pattern}" for name, codec in codecs.items()]
    some = [first + "".join(f"(?: {later})?" for later in each[place:]) for place, first in enumerate(each, 1)]
    return Codec(parse, write, " ".join(each) if whole else f"(?:{'|'.join(some)})")


def at_codec(kind: type[Record], kinds: Mapping[str, Kinds]) -> Codec[Shown]:
    """Return the codec of a record that is read: its name, and its fields once they are there."""
    name, contents = Kinds(records=frozenset({kind})).codec, fields_codec(kinds, whole=True)

    def parse(text: str) -> Shown:
        named, colon, rest = text.partition(": ")
        return Shown(name.parse(named), contents.parse(rest) if colon else ())

    def write(shown: Shown) -> str:
        named = name.format(shown.reference)
        return f"{named}: {contents.format(shown.fields)}" if shown.fields else named

    return Codec(parse, write, f"{name.pattern}(?:: {contents.pattern})?")


def result_codec(*kinds: Kinds) -> Codec[Any]:
    """Return the codec of one result, or of a tuple of several."""
    codecs = [each.codec for each in kinds]
    if len(codecs) == 1:
        return codecs[0]

    def parse(text: str) -> Any:
        parts = text.split(" ")
        if len(parts) != len(codecs):
            raise ValueError(f"{quoted(text, 60)} does not have {len(codecs)} results")
        return tuple(codec.parse(part) for codec, part in zip(codecs, parts, strict=True))

    return Codec(
        parse,
        lambda values: " ".join([codec.format(each) for codec, each in zip(codecs, values, strict=True)]),
        " ".join(codec.pattern for codec in codecs),
    )


def any_result_codec(kinds: Kinds) -> Codec[Any]:
    """Return the codec of the results of all procedures, of which some may have several."""
    codec = kinds.codec

    def parse(text: str) -> Any:
        values = tuple(map(codec.parse, text.split(" ")))
        return values if len(values) > 1 else values[0]

    return Codec(
        parse,
        lambda value: " ".join(map(codec.format, value if isinstance(value, tuple) else (value,))),
        f"{codec.pattern}(?: {codec.pattern})*",
    )


def got_codec(codec: Codec[Any]) -> Codec[Any]:
    """Return the codec of a result, or of `?` as long as there is none."""
    return Codec(
        lambda text: NOT_YET if text == "?" else codec.parse(text),
        lambda value: "?" if value is NOT_YET else codec.format(value),
        rf"(?:\?|{codec.pattern})",
    )
