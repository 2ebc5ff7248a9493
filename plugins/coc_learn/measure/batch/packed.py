"""The plan of a run, written in a format and compressed while the run goes on."""

import zlib
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from coc_core.domain import PlanFormat, PlanWriter
from coc_core.execution import StepRecord

_BLOCK = 1 << 16  # bytes that are compressed or unpacked at once
_LEVEL = 1  # plans repeat themselves, so the fastest level is good enough


@frozen
class PackedPlan:
    """The contents of a file with a plan, compressed."""

    data: bytes

    def parts(self) -> Iterator[bytes]:
        """The contents, in parts."""
        unpack, rest = zlib.decompressobj(), self.data
        while rest:
            yield unpack.decompress(rest, _BLOCK)
            rest = unpack.unconsumed_tail
        yield unpack.flush()


class PlanPacker:
    """Packs the plan of a run; `listen` is a listener of it."""

    def __init__(self, form: PlanFormat[Any, Any, Any]) -> None:
        self._compress = zlib.compressobj(_LEVEL)
        self._packed: list[bytes] = []
        self._block = bytearray()
        self._writer = PlanWriter(form, self._write)

    def listen(self, record: StepRecord) -> None:
        """Add the actions of a step."""
        self._writer.add(record.before, record.actions)

    def packed(self) -> PackedPlan:
        """The plan, after the last step."""
        self._writer.close()
        self._packed.append(self._compress.compress(self._block) + self._compress.flush())
        return PackedPlan(b"".join(self._packed))

    def _write(self, data: bytes) -> None:
        self._block += data
        if len(self._block) >= _BLOCK:
            self._packed.append(self._compress.compress(self._block))
            self._block.clear()
