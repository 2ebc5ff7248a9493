"""A chunk: a few thousand steps, packed into four blobs. What is unpacked is bounded by its steps, and checked.

    texts       a line of JSON, [prompt, target, [action, ...]], for each transition that these steps are first to use
    ids         a 32-bit number for each step: its transition, counted from 0 over the whole file
    pointers    a 64-bit number for each step: the pointer after it, less the pointer before it (0 for the first step)
    numbers     a line of JSON, [step, [number, ...]], for each step whose arithmetic was not exact

All numbers are little-endian, and all blobs are deflated. A digest seals each chunk and all chunks before it.
"""

import json
import struct
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import accumulate
from operator import sub
from typing import Any, NamedTuple, TypeVar

from coc_core.errors import ArtefactError

MAX_STEPS = 1 << 12
"""The largest number of steps of a chunk."""

MAX_BYTES = 1 << 20
"""The length of its new transitions and its numbers at which a chunk ends."""

MAX_LINE = 7 << 20
"""The largest number of bytes of a transition."""

MAX_KNOWN = 1 << 16
"""The number of transitions at which, with the next chunk, all are forgotten and later ones are stored again."""

MAX_KNOWN_BYTES = 1 << 24
"""The same for their bytes."""

START = b""
"""The digest before the first chunk."""

_MAX_TEXTS = MAX_BYTES + MAX_LINE
_MAX_NUMBERS = 2 * MAX_BYTES  # of which the last line has at most the numbers of one step
_MAX_POINTER = 1 << 62
_MAX_DIGITS = 40
_LEVEL = 2

_encode = json.JSONEncoder(separators=(",", ":")).encode
ValueT = TypeVar("ValueT")


class Transition(NamedTuple):
    """The content of a step: the prompt, the target and the texts of its actions."""

    prompt: str
    target: str
    actions: tuple[str, ...]


class PackedChunk(NamedTuple):
    """A chunk as it is stored.

    Attributes:
        first: The number of its first step.
        steps: The number of steps.
        base: The number of the first transition that its steps may use.
        transition: The number of its first new transition.
        transitions: The number of new transitions.
        digest: The SHA-256 of the digest of the chunk before and of everything above.
    """

    first: int
    steps: int
    base: int
    transition: int
    transitions: int
    texts: bytes
    ids: bytes
    pointers: bytes
    numbers: bytes
    digest: bytes


def pack(
    before: bytes,
    first: int,
    base: int,
    transition: int,
    transitions: Sequence[bytes],
    ids: Sequence[int],
    pointers: Sequence[int],
    numbers: Sequence[bytes],
) -> PackedChunk:
    """Pack the steps from `first` on, whose transitions and numbers are lines of JSON.

    `before` is the digest of the chunk before, or `START`; a `PackedChunk` has the others.
    """
    deltas = map(sub, pointers, [0, *pointers[:-1]])
    used, moved = little_endian(array("I", ids)), little_endian(array("q", deltas))
    blobs = deflate(b"".join(transitions)), deflate(used), deflate(moved), deflate(b"".join(numbers))
    packed = PackedChunk(first, len(ids), base, transition, len(transitions), *blobs, START)
    return packed._replace(digest=seal(before, packed))


def seal(before: bytes, packed: PackedChunk) -> bytes:
    """Return the digest of a chunk, given that of the chunk before; its own `digest` does not count."""
    blobs = packed.texts, packed.ids, packed.pointers, packed.numbers
    counts = packed.first, packed.steps, packed.base, packed.transition, packed.transitions, *map(len, blobs)
    return sha256(b"".join((json_lines([(before.hex(), *counts)]), *blobs))).digest()


def little_endian(numbers: "array[int]") -> bytes:
    """Return the bytes of the numbers, the least significant first."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def json_lines(values: Iterable[Any]) -> bytes:
    """Return a line of JSON for each value."""
    return "".join([_encode(value) + "\n" for value in values]).encode()


def deflate(data: bytes) -> bytes:
    """Compress data; the result depends on the data alone."""
    return zlib.compress(data, _LEVEL)


def inflate(data: bytes, max_bytes: int) -> bytes:
    """Decompress data; ArtefactError if it is broken or has more than `max_bytes` bytes."""
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(data, max_bytes)
    except zlib.error as error:
        raise ArtefactError(f"the compression is broken: {error}") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ArtefactError(f"a blob is truncated, continues after its end, or has more than {max_bytes:,} bytes")
    return found


def transitions(packed: PackedChunk) -> tuple[Transition, ...]:
    """Return the new transitions; ArtefactError if they are malformed or their number is wrong."""
    lines = _lines(packed.texts, _MAX_TEXTS)
    if len(lines) != packed.transitions:
        raise ArtefactError(f"a chunk has {len(lines):,} transitions, expected {packed.transitions:,}")
    return tuple(_parsed(lines, _transition))


def ids(packed: PackedChunk) -> tuple[int, ...]:
    """Return the transition of each step; ArtefactError if its steps may not use it."""
    found = _unpacked(packed.ids, "I", packed.steps)
    if not packed.base <= min(found) <= max(found) < packed.transition + packed.transitions:
        raise ArtefactError("a step's transition is not in the file")
    return found


def pointers(packed: PackedChunk) -> tuple[int, ...]:
    """Return the pointer after each step; ArtefactError if one is below -1 or absurdly high."""
    found = tuple(accumulate(_unpacked(packed.pointers, "q", packed.steps)))
    if not -1 <= min(found) <= max(found) < _MAX_POINTER:
        raise ArtefactError("a pointer is out of range")
    return found


def numbers(packed: PackedChunk) -> dict[int, tuple[int, ...]]:
    """Return the results of the arithmetic, by step, where they were not exact; ArtefactError for other steps."""
    lines = _lines(packed.numbers, _MAX_NUMBERS)
    if len(lines) > packed.steps:
        raise ArtefactError(f"a chunk of {packed.steps:,} steps has {len(lines):,} lines of numbers")
    found = dict(_parsed(lines, _numbers))
    if len(found) != len(lines):
        raise ArtefactError("numbers are recorded twice for a step")
    if not all(packed.first <= step < packed.first + packed.steps for step in found):
        raise ArtefactError("numbers are recorded for a step of another chunk")
    return found


def _unpacked(data: bytes, code: str, count: int) -> tuple[int, ...]:
    form = struct.Struct(f"<{count}{code}")
    raw = inflate(data, form.size + 1)
    if len(raw) != form.size:
        raise ArtefactError(f"a blob of {count:,} steps has {len(raw):,} bytes, expected {form.size:,}")
    return form.unpack(raw)


def _lines(data: bytes, max_bytes: int) -> list[bytes]:
    """Return the lines of a blob of as many bytes at most, of which a chunk has no more than steps."""
    raw = inflate(data, max_bytes)
    if raw.count(b"\n") > MAX_STEPS or (raw and not raw.endswith(b"\n")):
        raise ArtefactError("a blob has too many lines, or its last line is cut off")
    return raw.split(b"\n")[:-1]


def _parsed(lines: Iterable[bytes], read: Callable[[Any], ValueT]) -> Iterator[ValueT]:
    for line in lines:
        try:
            value = json.loads(line, parse_int=_integer)
        except (ValueError, RecursionError):
            raise ArtefactError("a line of a chunk is not JSON") from None
        yield read(value)


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError
    return int(text)


def _transition(value: Any) -> Transition:
    match value:
        case [str(prompt), str(target), [*actions]] if prompt and all(isinstance(action, str) for action in actions):
            return Transition(prompt, target, tuple(actions))
    raise ArtefactError("a line of a chunk is not a transition")


def _numbers(value: Any) -> tuple[int, tuple[int, ...]]:
    match value:
        case [step, [*found]] if all(type(number) is int for number in (step, *found)):
            return step, tuple(found)
    raise ArtefactError("a line of a chunk is not a list of numbers")
