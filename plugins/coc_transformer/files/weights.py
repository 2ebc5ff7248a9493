"""Tensors to a safetensors file and back, one tensor at a time, with the header validated first.

The safetensors format is eight bytes with the header's length (little-endian), a JSON header that gives each tensor's
dtype, shape and offsets, then the tensors' bytes without gaps. coc writes and reads float32 only. Neither direction
keeps a second copy of the tensors, which are arrays of numpy here; torch shares their memory.
"""

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from coc_core.errors import ArtefactError
from coc_core.storage import open_regular, parse_json_object

LARGEST_HEADER = 1 << 20  # bytes
_LENGTH_BYTES = 8
_ITEM_BYTES = 4  # of a float32
_PART = 1 << 20  # numbers that are read and checked at a time
_LOOKALIKES = {b"PK\x03\x04": "a zip archive, as torch.save writes it", b"\x80": "a pickle", b"\x1f\x8b": "gzip"}


Shapes = Mapping[str, tuple[int, ...]]
Array = NDArray[np.float32]


@frozen
class Contents:
    """The contents of a safetensors file: its parts when iterated, `len` bytes together. `array` makes an array in
    float32 of a tensor of `state`; tensors may be any library's, and have a `shape`.
    """

    state: Mapping[str, Any]
    array: Callable[[Any], Array] = np.asarray

    def __len__(self) -> int:
        return len(self._header()) + _tensor_bytes(self._shapes())

    def __iter__(self) -> Iterator[bytes | memoryview]:
        yield self._header()
        for name in sorted(self.state):
            yield _bytes_of(np.ascontiguousarray(self.array(self.state[name]), np.float32))

    def _shapes(self) -> Shapes:
        return {name: tuple(self.state[name].shape) for name in sorted(self.state)}

    def _header(self) -> bytes:
        """Return the length and the header, filled with spaces up to a multiple of eight bytes, as safetensors does."""
        text = json.dumps(_entries(self._shapes()), ensure_ascii=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        return len(text).to_bytes(_LENGTH_BYTES, "little") + text


def of_tensors(state: Mapping[str, Any]) -> Contents:
    """Return the contents of a file of torch's tensors, which may be on any device and of any type."""
    return Contents(state, lambda tensor: tensor.detach().float().cpu().numpy())


def _entries(shapes: Shapes) -> dict[str, Any]:
    """Return the entries of a header for tensors that stand in this order."""
    entries, end = {}, 0
    for name, shape in shapes.items():
        begin, end = end, end + _ITEM_BYTES * math.prod(shape)
        entries[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [begin, end]}
    return entries


def read(path: Path, shapes: Shapes) -> Iterator[tuple[str, Array]]:
    """Read tensors of these names and shapes from a safetensors file one by one, in its order. ArtefactError if it
    can't be read, if a name, size, shape, dtype or offset is not as expected, or if a number is not finite.
    """
    try:
        with open_regular(path, _LENGTH_BYTES + LARGEST_HEADER + _tensor_bytes(shapes)) as file:
            for name in _names(file, shapes, str(path)):
                tensor = np.empty(shapes[name], np.float32)
                flat = tensor.reshape(-1)
                for start in range(0, flat.size, _PART):
                    part = flat[start : start + _PART]
                    if file.readinto(_bytes_of(part)) != part.nbytes:
                        raise ArtefactError(f"{path} became shorter while it was read")
                    if not np.isfinite(part).all():
                        raise ArtefactError(f"{path}: the tensor {name!r} contains a number that is not finite")
                yield name, tensor
    except OSError as error:
        raise ArtefactError(f"can't read {path}: {error.strerror}") from None


def _names(file: BufferedReader, shapes: Shapes, where: str) -> list[str]:
    """Read the header; returns the names of the tensors in the order of the file."""
    total = os.fstat(file.fileno()).st_size
    start = file.read(_LENGTH_BYTES)
    if len(start) < _LENGTH_BYTES:
        raise ArtefactError(f"{where} is cut off: it has {len(start)} bytes")
    length = int.from_bytes(start, "little")
    if length > LARGEST_HEADER:
        for magic, kind in _LOOKALIKES.items():
            if start.startswith(magic):
                raise ArtefactError(f"{where} is not a safetensors file but {kind}")
        raise ArtefactError(f"{where}: the header claims {length:,} bytes, and {LARGEST_HEADER:,} are allowed")
    data = file.read(length)
    if len(data) < length:
        raise ArtefactError(f"{where} is cut off within its header")
    header = parse_json_object(data, f"{where}: the header")
    if "__metadata__" in header:
        raise ArtefactError(f"{where}: the header has metadata, which coc does not write")
    for name in {**shapes, **header}:
        if name not in header:
            raise ArtefactError(f"{where} lacks the tensor {name!r}")
        if name not in shapes:
            raise ArtefactError(f"{where} has the unknown tensor {name!r:.80}")
    names = sorted(shapes, key=lambda name: _begin(header[name]))
    for name, expected in _entries({name: shapes[name] for name in names}).items():
        if json.dumps(header[name], sort_keys=True) != json.dumps(expected, sort_keys=True):
            raise ArtefactError(f"{where}: the entry of {name!r} is {header[name]!r:.120}, and must be {expected}")
    if total != _LENGTH_BYTES + length + _tensor_bytes(shapes):
        found = total - _LENGTH_BYTES - length
        raise ArtefactError(f"{where} has {found:,} bytes of tensors where its header names {_tensor_bytes(shapes):,}")
    return names


def _begin(entry: Any) -> tuple[int, int]:
    """Return where an entry says that its tensor is; anything for one that says it in no way that is allowed."""
    match entry:
        case {"data_offsets": [int(begin), int(end)]}:
            return begin, end
    return 0, 0


def _tensor_bytes(shapes: Shapes) -> int:
    return _ITEM_BYTES * sum(map(math.prod, shapes.values()))


def _bytes_of(array: Array) -> memoryview:
    """Return the bytes of a contiguous array, not copied."""
    return array.reshape(-1).view(np.uint8).data
