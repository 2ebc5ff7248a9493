"""Weights to the bytes of a safetensors file and back, with the header validated first.

The safetensors format is eight bytes with the header's length (little-endian), a JSON header that gives each tensor's
dtype, shape and offsets, then the tensors' bytes without gaps.
"""

import math
from collections.abc import Mapping
from typing import Any

import safetensors
import safetensors.torch
import torch
from torch import Tensor

from coc_core.errors import ArtefactError
from coc_core.storage import parse_json_object

LARGEST_HEADER = 1 << 20  # bytes
_LENGTH_BYTES = 8
_ITEM_BYTES = 4  # of a float32
_LOOKALIKES = {b"PK\x03\x04": "a zip archive, as torch.save writes it", b"\x80": "a pickle", b"\x1f\x8b": "gzip"}


def to_bytes(state: Mapping[str, Tensor]) -> bytes:
    """The tensors as a safetensors file, in float32."""
    return safetensors.torch.save({name: tensor.detach().float().contiguous() for name, tensor in state.items()})


def largest_file(state: Mapping[str, Tensor]) -> int:
    """The largest size in bytes of a file with such tensors."""
    return _LENGTH_BYTES + LARGEST_HEADER + _ITEM_BYTES * sum(tensor.numel() for tensor in state.values())


def from_bytes(data: bytes, expected: Mapping[str, Tensor], where: str) -> dict[str, Tensor]:
    """Read the tensors of a safetensors file.

    Args:
        data: The file's bytes.
        expected: Tensors, on any device, with the names and shapes that those of the file must have.
        where: What errors call the file.

    Raises:
        ArtefactError: If a name, shape, dtype or offset is not as expected, or a number is not finite.
    """
    _check(data, {name: tuple(tensor.shape) for name, tensor in expected.items()}, where)
    try:
        state = safetensors.torch.load(data)
    except safetensors.SafetensorError as error:
        raise ArtefactError(f"{where} can't be read: {error!s:.120}") from None
    for name, tensor in state.items():
        if not torch.isfinite(tensor).all():
            raise ArtefactError(f"{where}: the tensor {name!r} contains a number that is not finite")
    return state


def _check(data: bytes, shapes: Mapping[str, tuple[int, ...]], where: str) -> None:
    if len(data) < _LENGTH_BYTES:
        raise ArtefactError(f"{where} is cut off: it has {len(data)} bytes")
    length = int.from_bytes(data[:_LENGTH_BYTES], "little")
    if length > LARGEST_HEADER:
        for magic, kind in _LOOKALIKES.items():
            if data.startswith(magic):
                raise ArtefactError(f"{where} is not a safetensors file but {kind}")
        raise ArtefactError(f"{where}: the header claims {length:,} bytes, and {LARGEST_HEADER:,} are allowed")
    begin = _LENGTH_BYTES + length
    if len(data) < begin:
        raise ArtefactError(f"{where} is cut off within its header")
    header = parse_json_object(data[_LENGTH_BYTES:begin], f"{where}: the header")
    if "__metadata__" in header:
        raise ArtefactError(f"{where}: the header has metadata, which coc does not write")
    _check_names(header, shapes, where)
    spans = sorted(_span(name, header[name], shape, where) for name, shape in shapes.items())
    end = 0
    for span_begin, span_end in spans:
        if span_begin != end:
            raise ArtefactError(f"{where}: the tensors overlap or leave a gap at byte {end:,}")
        end = span_end
    if len(data) != begin + end:
        raise ArtefactError(f"{where} has {len(data) - begin:,} bytes of tensors where its header names {end:,}")


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
