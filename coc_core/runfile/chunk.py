"""A chunk: a few thousand steps, packed into four blobs. What is unpacked is bounded and checked.

    texts       a line of JSON, [prompt, target, [action, ...]], for each transition that these steps are first to use
    ids         a 32-bit number for each step: its transition, counted from 0 over the whole file
    pointers    a 64-bit number for each step: the pointer after it, less the pointer before it (0 for the first step)
    numbers     a line of JSON, [step, [number, ...]], for each step whose arithmetic was not exact

All numbers are little-endian, and all blobs are deflated.
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

MAX_STEPS = 1 << 12
"""The largest number of steps of a chunk."""

MAX_CHARACTERS = 1 << 20
"""The length of its new transitions at which a chunk ends."""

MAX_UNPACKED = 1 << 25  # bytes of one blob
_LEVEL = 2
_MAX_DIGITS = 40

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
        transition: The number of its first new transition.
        transitions: The number of new transitions.
    """

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
) -> PackedChunk:
    """Pack the steps from `first` on.

    Args:
        first: The number of the first step.
        transition: The number of the first new transition.
        transitions: The new transitions.
        ids: The transition of each step.
        pointers: The pointer after each step.
        numbers: The results of the arithmetic, by step, where they were not exact.
    """
    deltas = map(sub, pointers, [0, *pointers[:-1]])
    return PackedChunk(
        first,
        len(ids),
        transition,
        len(transitions),
        deflate(json_lines(transitions)),
        deflate(little_endian(array("I", ids))),
        deflate(little_endian(array("q", deltas))),
        deflate(json_lines(numbers.items())),
    )


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


def inflate(data: bytes, max_bytes: int = MAX_UNPACKED) -> bytes:
    """Decompress data.

    Raises:
        ArtefactError: The data is broken or has more than `max_bytes` bytes.
    """
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
    return tuple(_parsed(packed.texts, packed.transitions, _transition))


def ids(packed: PackedChunk) -> tuple[int, ...]:
    """Return the transition of each step; ArtefactError if it is not in this chunk or an earlier one."""
    found = _unpacked(packed.ids, "I", packed.steps)
    if max(found) >= packed.transition + packed.transitions:
        raise ArtefactError("a step's transition is not in the file")
    return found


def pointers(packed: PackedChunk) -> tuple[int, ...]:
    """Return the pointer after each step; ArtefactError if one is below -1."""
    found = tuple(accumulate(_unpacked(packed.pointers, "q", packed.steps)))
    if min(found) < -1:
        raise ArtefactError("a pointer is below -1")
    return found


def numbers(packed: PackedChunk) -> dict[int, tuple[int, ...]]:
    """Return the results of the arithmetic, by step, where they were not exact; ArtefactError for other steps."""
    found = dict(_parsed(packed.numbers, None, _numbers))
    if not all(packed.first <= step < packed.first + packed.steps for step in found):
        raise ArtefactError("numbers are recorded for a step of another chunk")
    return found


def _unpacked(data: bytes, code: str, count: int) -> tuple[int, ...]:
    form = struct.Struct(f"<{count}{code}")
    raw = inflate(data, form.size + 1)
    if len(raw) != form.size:
        raise ArtefactError(f"a blob of {count:,} steps has {len(raw):,} bytes, expected {form.size:,}")
    return form.unpack(raw)


def _parsed(data: bytes, count: int | None, read: Callable[[Any], ValueT]) -> Iterator[ValueT]:
    raw = inflate(data).split(b"\n")
    if raw.pop() or (count is not None and len(raw) != count):
        raise ArtefactError("the number of lines of a chunk is wrong")
    for line in raw:
        try:
            value = json.loads(line, parse_int=_integer)
        except (ValueError, RecursionError):
            raise ArtefactError("a line of a chunk is not JSON") from None
        yield read(value)


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError("too many digits")
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
