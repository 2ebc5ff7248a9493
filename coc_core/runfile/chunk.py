"""A chunk: some thousand steps, packed. What is unpacked is bounded and checked.

`texts` are lines of JSON, [prompt, target, [action, ...]] for each transition that these steps are the first to use.
`ids` are 32-bit numbers, one a step: which transition it was, counted from 0 over the whole file. `pointers` are 64-bit
numbers, one a step: by how much the pointer after it differs from the one before, the first from 0. `numbers` are lines
of JSON, [step, [number, ...]] for each step whose arithmetic was not exact. All are little-endian and deflated.
"""

import json
import struct
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import sub
from typing import Any, NamedTuple, TypeVar

from coc_core.errors import ArtefactError

STEPS = 1 << 12
"""How many steps a chunk has at most."""

TEXT = 1 << 20
"""A chunk ends with the step that brings its new transitions to so many characters."""

MOST_UNPACKED = 1 << 25  # bytes of one blob
_LEVEL = 2
_MOST_DIGITS = 40

_encode = json.JSONEncoder(separators=(",", ":")).encode
ValueT = TypeVar("ValueT")


class Transition(NamedTuple):
    """What a step can be: the prompt, the target and the texts of its actions."""

    prompt: str
    target: str
    actions: tuple[str, ...]


class Row(NamedTuple):
    """A chunk as it stands in the file; `transition` is the number of its first transition."""

    first: int
    steps: int
    transition: int
    transitions: int
    texts: bytes
    ids: bytes
    pointers: bytes
    numbers: bytes


def pack(
    first: int,
    transition: int,
    transitions: Sequence[Transition],
    ids: Sequence[int],
    pointers: Sequence[int],
    numbers: Mapping[int, Sequence[int]],
) -> Row:
    """The row of a chunk."""
    deltas = map(sub, pointers, [0, *pointers[:-1]])
    return Row(
        first,
        len(ids),
        transition,
        len(transitions),
        deflate(lines(transitions)),
        deflate(little(array("I", ids))),
        deflate(little(array("q", deltas))),
        deflate(lines(numbers.items())),
    )


def little(numbers: "array[int]") -> bytes:
    """The bytes of the numbers, the least significant first."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def lines(values: Iterable[Any]) -> bytes:
    """A line of JSON for each value."""
    return "".join([_encode(value) + "\n" for value in values]).encode()


def deflate(data: bytes) -> bytes:
    """`data`, packed; the same bytes for the same data."""
    return zlib.compress(data, _LEVEL)


def inflate(data: bytes, most: int = MOST_UNPACKED) -> bytes:
    """What was packed; ArtefactError if it is broken or has more than `most` bytes."""
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(data, most)
    except zlib.error as error:
        raise ArtefactError(f"the compression is broken: {error}") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ArtefactError(f"a blob is cut off, goes on after its end, or unpacks to more than {most:,} bytes")
    return found


def transitions(row: Row) -> tuple[Transition, ...]:
    """The transitions that a row brings; ArtefactError if it does not hold just so many."""
    return tuple(_parsed(row.texts, row.transitions, _transition))


def ids(row: Row) -> tuple[int, ...]:
    """The transition of each step; ArtefactError unless each is one of this row or of those before it."""
    found = _unpacked(row.ids, "I", row.steps)
    if max(found) >= row.transition + row.transitions:
        raise ArtefactError("a step's transition is not in the file")
    return found


def pointers(row: Row) -> tuple[int, ...]:
    """The pointer after each step; ArtefactError if one can't be one."""
    found = tuple(accumulate(_unpacked(row.pointers, "q", row.steps)))
    if min(found) < -1:
        raise ArtefactError("a pointer is below -1")
    return found


def numbers(row: Row) -> dict[int, tuple[int, ...]]:
    """What the arithmetic gave, by step, where it was not exact; ArtefactError unless the steps are this row's."""
    found = dict(_parsed(row.numbers, None, _numbers))
    if not all(row.first <= step < row.first + row.steps for step in found):
        raise ArtefactError("numbers are recorded for a step of another chunk")
    return found


def _unpacked(data: bytes, code: str, count: int) -> tuple[int, ...]:
    form = struct.Struct(f"<{count}{code}")
    raw = inflate(data, form.size + 1)
    if len(raw) != form.size:
        raise ArtefactError(f"a chunk of {count:,} steps has {len(raw):,} bytes where {form.size:,} belong")
    return form.unpack(raw)


def _parsed(data: bytes, count: int | None, read: Callable[[Any], ValueT]) -> Iterator[ValueT]:
    raw = inflate(data).split(b"\n")
    if raw.pop() or (count is not None and len(raw) != count):
        raise ArtefactError("a chunk has not as many lines as it says")
    for line in raw:
        try:
            value = json.loads(line, parse_int=_integer)
        except (ValueError, RecursionError):
            raise ArtefactError("a line of a chunk is not JSON") from None
        yield read(value)


def _integer(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError("too many digits")
    return int(text)


def _transition(value: Any) -> Transition:
    match value:
        case [str(prompt), str(target), [*actions]] if prompt and all(isinstance(action, str) for action in actions):
            return Transition(prompt, target, tuple(actions))
    raise ArtefactError("a line of a chunk is no transition")


def _numbers(value: Any) -> tuple[int, tuple[int, ...]]:
    match value:
        case [step, [*found]] if all(type(number) is int for number in (step, *found)):
            return step, tuple(found)
    raise ArtefactError("a line of a chunk has no numbers")
