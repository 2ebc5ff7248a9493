"""The pointer tape, and its conventions: a linked list for domains with calls, a chain for one successor a step."""

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from coc_core.arithmetic import Notation
from coc_core.domain import Domain
from coc_core.errors import AddressFault, LimitFault, ProtocolFault
from coc_core.memories.convention import Convention, ParsedTarget
from coc_core.memories.layout import Layout
from coc_core.memories.memory import Memory
from coc_core.memories.target import Target
from coc_core.text import Surface
from coc_core.types import Limits, Registers, Step

HALT = -1


class TapeWindow(NamedTuple):
    """A window on the tape, with its own address (PTR) and the next free address (NEXT_ID)."""

    ptr: int
    next_id: int
    text: str


class TapeWrite(NamedTuple):
    """What a step does to a tape.

    Attributes:
        windows: The address and text of each window, for the next free addresses in order. A window with the address
            -1 is not stored; PTR must then be -1.
        ptr: The address of the next window, -1 to halt.
        next_id: The next free address, if the target states it.
    """

    windows: tuple[tuple[int, str], ...]
    ptr: int
    next_id: int | None = None


Tape = tuple[bytearray, "array[int]", int, int]
"""A text, the places in it where each window starts and the last one ends, how many windows of it are those of this
tape, and PTR. Tapes share a text: later ones have more windows of it."""


class PointerTape(Memory[Tape, TapeWindow, TapeWrite]):
    """The paper's append-only tape: read anywhere, write at the end, halt when PTR is -1.

    All windows share one array of bytes, so that a million of them take little more than their texts. Interned strings
    would save nothing, since on a linked tape each window has its own `prev`. A tape that nothing was appended to is
    extended in place. One that other windows were appended to is copied, but not if these are the same windows, as
    they are where drafts were right.
    """

    name = "tape"

    def start(self, first: str) -> Tape:
        text = bytearray(first.encode())
        return text, array("q", (0, len(text))), 1, 0

    def read(self, contents: Tape) -> tuple[int, TapeWindow] | None:
        text, starts, length, ptr = contents
        if ptr < 0:
            return None
        window = text[starts[ptr] : starts[ptr + 1]].decode()
        return ptr, tuple.__new__(TapeWindow, (ptr, length, window))  # TapeWindow(...), but twice as fast

    def write(self, contents: Tape, write: TapeWrite) -> Tape:
        text, starts, length, _ = contents
        windows, ptr, next_id = write
        limits, free, end, added = self.limits, length, starts[length], bytearray()
        ends: list[int] = []
        if len(windows) > limits.windows_per_step:
            raise LimitFault(f"a step wrote {len(windows)} windows, the limit is {limits.windows_per_step}")
        for address, window in windows:
            if address != free:
                if address == HALT and ptr == HALT:
                    continue
                raise AddressFault(f"wrote to address {address}, the next free one is {free}", text=window)
            added += window.encode()
            ends.append(end + len(added))
            free += 1
        if not HALT <= ptr < free:
            raise AddressFault(f"PTR={ptr} has no window: only addresses 0 to {free - 1} are written")
        if next_id is not None and next_id != free:
            raise AddressFault(f"NEXT_ID={next_id}, but the next free address is {free}")
        if (size := end + len(added)) > limits.tape_bytes:
            raise LimitFault(f"the tape would hold {size:,} bytes, the limit is {limits.tape_bytes:,}")
        if ends:
            if len(starts) > length + 1:  # another tape has more windows of this text: the same ones, or others
                if starts[length + 1 : free + 1] == array("q", ends) and text[end:size] == added:
                    return text, starts, free, ptr
                text, starts = text[:end], starts[: length + 1]
            text += added
            starts.extend(ends)
        return text, starts, free, ptr

    def windows(self, contents: Tape) -> Sequence[str]:
        text, starts, length, _ = contents
        return tuple(text[start:end].decode() for start, end in pairwise(starts[: length + 1]))

    def key(self, contents: Tape) -> tuple[int, int]:
        return -contents[2], contents[3]


TAPE_LAYOUT = Layout(registers={"NEXT_ID": lambda windows, _: len(windows)})


class LinkedTapeConvention(Convention[TapeWindow, TapeWrite]):
    """A stack as a linked list on an append-only tape: each window holds the address of the next one, `prev`."""

    name = "linked"
    layout = TAPE_LAYOUT
    _write = "APPEND[{address}] {instruction} prev={prev}"
    _registers = "PTR={PTR} NEXT_ID={NEXT_ID}"
    defaults = {
        "numeric": Surface("PTR={PTR} NEXT_ID={NEXT_ID} INSTR[{PTR}] {instruction} prev={prev}", _write, _registers),
        "symbolic": Surface("INSTR {instruction} prev=prev", _write, _registers, close=" "),
    }

    def _window(self, instruction: str) -> str:
        return f"{instruction} prev={HALT}"

    def prompt(self, window: TapeWindow) -> str:
        ptr, next_id, text = window
        instruction, _, prev = text.rpartition(" prev=")
        if self.memoryless:
            return self._instruction_prompt(instruction)
        return self.surface.prompt.format(PTR=ptr, NEXT_ID=next_id, instruction=instruction, prev=prev)

    def expressions(self, target: Target) -> Sequence[str]:
        written = [write[name] for write in target.writes for name in ("address", "prev")]
        return [*written, target.registers["PTR"], target.registers["NEXT_ID"]]

    def registers(self, window: TapeWindow) -> Registers:
        ptr, next_id, text = window
        return {"PTR": ptr, "NEXT_ID": next_id, "prev": int(text.rpartition("=")[2])}

    def write(self, target: ParsedTarget, window: TapeWindow, numbers: Sequence[int]) -> TapeWrite:
        windows: list[tuple[int, str]] = []
        place = 0
        for instruction in target.windows:
            windows.append((numbers[place], f"{instruction} prev={numbers[place + 1]}"))
            place += 2
        ptr, next_id = numbers[place:]
        return tuple.__new__(TapeWrite, (tuple(windows), ptr, next_id))  # TapeWrite(...), but twice as fast

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        writes, prev = [], _expression("prev", 0, registers)
        for offset, instruction in enumerate(reversed(step.then)):
            address = _expression("NEXT_ID", offset, registers)
            writes.append(
                {"address": address, "instruction": self.domain.instructions.format(instruction), "prev": prev}
            )
            prev = address
        return Target(
            step.emits, tuple(writes), {"PTR": prev, "NEXT_ID": _expression("NEXT_ID", len(writes), registers)}
        )


class ChainTapeConvention(Convention[TapeWindow, TapeWrite]):
    """A tape on which each step appends its one successor and moves to it. PTR is -1 after the last.

    A surface names the pointer either in its `write` template, as Pancake's sentences do, or in `registers`.
    """

    name = "chain"
    layout = TAPE_LAYOUT
    max_writes = 1
    runs_every_window = False  # the window at address -1 is never run
    _write, _registers = "APPEND[{address}] {instruction}", "PTR={PTR}"
    defaults = {
        "numeric": Surface("PTR={PTR} {instruction}", _write, _registers, join=" "),
        "symbolic": Surface("{instruction}", _write, _registers, join=" "),
    }

    def prompt(self, window: TapeWindow) -> str:
        ptr, _, text = window
        return (
            self._instruction_prompt(text) if self.memoryless else self.surface.prompt.format(PTR=ptr, instruction=text)
        )

    def expressions(self, target: Target) -> Sequence[str]:
        fields = {**target.registers, **dict(*target.writes)}
        if "PTR" not in fields:
            raise ProtocolFault("the target names no pointer")
        return [fields[name] for name in ("PTR", "address") if name in fields]

    def registers(self, window: TapeWindow) -> Registers:
        return {"PTR": window.ptr, "NEXT_ID": window.next_id}

    def write(self, target: ParsedTarget, window: TapeWindow, numbers: Sequence[int]) -> TapeWrite:
        ptr, *addresses = numbers
        return TapeWrite(tuple(zip(addresses, target.windows, strict=True)), ptr)

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        successor = step.then[0] if step.then else step.last
        pointer = _expression("PTR", 1, registers) if step.then else str(HALT)
        if len(step.then) > 1 or (successor is None and self.surface.registers is None):
            raise TypeError(f"{self.domain.name}: a chain needs one successor a step, not {len(step.then)}: {step}")
        writes = []
        if successor is not None:
            writes = [{"address": pointer, "instruction": self.domain.instructions.format(successor), "PTR": pointer}]
        return Target(step.emits, tuple(writes), {"PTR": pointer})


def tape_convention(
    domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()
) -> Convention[TapeWindow, TapeWrite]:
    """Make the tape convention that suits the domain's `continuation`."""
    kind = ChainTapeConvention if domain.continuation == "chain" else LinkedTapeConvention
    return kind(domain, notation, limits)


def _expression(register: str, offset: int, registers: Registers) -> str:
    """`register` plus `offset`: a number if the prompt shows the registers, otherwise an expression."""
    if registers:
        return str(registers[register] + offset)
    return f"{register}+{offset}" if offset else register
