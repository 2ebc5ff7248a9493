"""Tensors to a safetensors file and back, one tensor at a time, with the header validated first.

The safetensors format is eight bytes with the header's length (little-endian), a JSON header that gives each tensor's
dtype, shape and offsets, then the tensors' bytes without gaps. coc writes and reads float32 only. Neither direction
keeps a second copy of the tensors.
"""

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any

import torch
from attrs import frozen
from torch import Tensor

from coc_core.errors import ArtefactError
from coc_core.storage import open_regular, parse_json_object

LARGEST_HEADER = 1 << 20  # bytes
_LENGTH_BYTES = 8
_ITEM_BYTES = 4  # of a float32
_PART = 1 << 20  # numbers that are read and checked at a time
_LOOKALIKES = {b"PK\x03\x04": "a zip archive, as torch.save writes it", b"\x80": "a pickle", b"\x1f\x8b": "gzip"}


@frozen
class Contents:
    """The contents of a safetensors file with these tensors: its parts when iterated, `len` bytes together."""

    state: Mapping[str, Tensor]

    def __len__(self) -> int:
        return len(_header(self.state)) + _tensor_bytes(self.state)

    def __iter__(self) -> Iterator[bytes | memoryview]:
        yield _header(self.state)
        for name in sorted(self.state):
            yield _bytes_of(self.state[name].detach().float().cpu().contiguous())


def _header(state: Mapping[str, Tensor]) -> bytes:
    """The length and the header, which spaces fill up to a multiple of eight bytes, as the library safetensors does."""
    entries, end = {}, 0
    for name in sorted(state):
        begin, end = end, end + _ITEM_BYTES * state[name].numel()
        entries[name] = {"dtype": "F32", "shape": list(state[name].shape), "data_offsets": [begin, end]}
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(_LENGTH_BYTES, "little") + text


def read(path: Path, expected: Mapping[str, Tensor]) -> Iterator[tuple[str, Tensor]]:
    """Read the tensors of a safetensors file one by one, in the order of the file.

    Args:
        path: The file.
        expected: Tensors, on any device, with the names and shapes that those of the file must have.

    Raises:
        ArtefactError: If the file can't be read, its size, a name, shape, dtype or offset is not as expected, or a
            number is not finite.
    """
    with opened(path, expected) as file:
        for name in _names(file, {name: tuple(tensor.shape) for name, tensor in expected.items()}, str(path)):
            tensor = torch.empty(expected[name].shape, dtype=torch.float32)
            for part in torch.split(tensor.view(-1), _PART):
                if file.readinto(_bytes_of(part)) != _ITEM_BYTES * len(part):
                    raise ArtefactError(f"{path} became shorter while it was read")
                if not torch.isfinite(part).all():
                    raise ArtefactError(f"{path}: the tensor {name!r} contains a number that is not finite")
            yield name, tensor


@contextmanager
def opened(path: Path, expected: Mapping[str, Tensor]) -> Iterator[BufferedReader]:
    """Open a regular file that is not larger than one with such tensors can be.

    Raises:
        ArtefactError: If it is larger or not a regular file, or can't be opened or read.
    """
    most = _LENGTH_BYTES + LARGEST_HEADER + _tensor_bytes(expected)
    try:
        with open_regular(path, most) as file:
            yield file
    except OSError as error:
        raise ArtefactError(f"can't read {path}: {error.strerror}") from None


def _names(file: BufferedReader, shapes: Mapping[str, tuple[int, ...]], where: str) -> list[str]:
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
    _check_names(header, shapes, where)
    spans = sorted((*_span(name, header[name], shape, where), name) for name, shape in shapes.items())
    end = 0
    for span_begin, span_end, _ in spans:
        if span_begin != end:
            raise ArtefactError(f"{where}: the tensors overlap or leave a gap at byte {end:,}")
        end = span_end
    if total != _LENGTH_BYTES + length + end:
        found = total - _LENGTH_BYTES - length
        raise ArtefactError(f"{where} has {found:,} bytes of tensors where its header names {end:,}")
    return [name for _, _, name in spans]


def _check_names(header: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]], where: str) -> None:
    for name in shapes:
        if name not in header:
            raise ArtefactError(f"{where} lacks the tensor {name!r}")
    for name in header:
        if name not in shapes:
            raise ArtefactError(f"{where} has the unknown tensor {name!r:.80}")


def _span(name: str, entry: object, shape: tuple[int, ...], where: str) -> tuple[int, int]:
    """The offsets at which a tensor's bytes begin and end; ArtefactError unless its entry fits `shape`."""
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise ArtefactError(f"{where}: the entry of {name!r} must be a dtype, a shape and offsets")
    if entry["dtype"] != "F32":
        raise ArtefactError(f"{where}: the tensor {name!r} has the dtype {entry['dtype']!r:.20}, not F32")
    if not _whole_numbers(entry["shape"]) or tuple(entry["shape"]) != shape:
        raise ArtefactError(f"{where}: the tensor {name!r} has the shape {entry['shape']!r:.60}, not {list(shape)}")
    offsets = entry["data_offsets"]
    if not _whole_numbers(offsets) or len(offsets) != 2 or offsets[1] - offsets[0] != _ITEM_BYTES * math.prod(shape):
        raise ArtefactError(f"{where}: the offsets of {name!r} don't fit its shape: {offsets!r:.60}")
    return offsets[0], offsets[1]


def _whole_numbers(value: object) -> bool:
    return isinstance(value, list) and all(type(item) is int and item >= 0 for item in value)


def _tensor_bytes(state: Mapping[str, Tensor]) -> int:
    return _ITEM_BYTES * sum(tensor.numel() for tensor in state.values())


def _bytes_of(tensor: Tensor) -> memoryview:
    """The bytes of a contiguous tensor on the CPU, not copied."""
    return tensor.view(-1).view(torch.uint8).numpy().data
