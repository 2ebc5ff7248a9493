"""The heap beside a list and a dictionary."""

import pytest
from attrs import evolve, field, frozen
from hypothesis import settings, strategies as st

from coc_check.strategies import PlainMemory, memory_machine
from coc_core.errors import AddressFault, LimitFault
from coc_core.execution import Anchor
from coc_core.memories import Returned
from coc_core.types import Limits
from coc_programs.heap.memory import Fresh, Heap

LIMITS = Limits(tape_bytes=60, stack_depth=7, windows_per_step=3)
NAMES = st.sampled_from(["B1", "B2", "B3", "B4"])
RECORDS = st.one_of(
    st.tuples(NAMES, st.sampled_from(["x=1 y=2", "x=3 y=4"])),
    st.tuples(st.sampled_from(["B1", "B2"]), st.sampled_from(["x=5", "y=60"])),
)
INSTRUCTIONS = st.one_of(st.sampled_from(["GO", "STOP"]), NAMES.map("GO AT {}".format))


@frozen
class PlainHeap(PlainMemory):
    """A list of instructions and a dictionary of records."""

    stack: tuple[str, ...]
    limits: Limits
    records: dict[str, str] = field(factory=lambda: {"B1": "x=0 y=0", "B2": "x=1 y=1"})

    @property
    def windows(self):
        return (*map(": ".join, self.records.items()), *self.stack)

    @property
    def pointer(self):
        return len(self.windows) - 1 if self.stack else -1

    def window(self):
        name = self.stack[-1][6:] if self.stack and " AT " in self.stack[-1] else ""
        return (self.stack[-1] + (f": {self.records[name]}" if name else "")) if self.stack else None

    def writes(self):
        return st.lists(st.one_of(RECORDS, INSTRUCTIONS), max_size=4).map(tuple)

    def after(self, write):
        stored = [each for each in write if isinstance(each, tuple)]
        pushed = [each for each in write if not isinstance(each, tuple)]
        records, stack = dict(self.records), (*self.stack[:-1], *pushed)
        for name, fields in stored:
            values = dict(part.split("=") for part in f"{records.get(name, '')} {fields}".split())
            records[name] = " ".join(f"{key}={value}" for key, value in values.items())
        wanted = {text[6:] for text in pushed if " AT " in text}
        if len(write) > 3:
            raise LimitFault("too many")
        if not wanted <= set(records):
            raise AddressFault("not there")
        if len(stack) + len(records) > 7 or sum(map(len, (*records, *records.values()))) > 60:
            raise LimitFault("too much")
        return evolve(self, stack=stack, records=records)


TestHeap = memory_machine(
    Heap,
    lambda first, limits: PlainHeap((first[0].rpartition("\n")[2],), limits),
    st.sampled_from(["B1: x=0 y=0\nB2: x=1 y=1\nGO", "B1: x=0 y=0\nB2: x=1 y=1\nGO AT B1"]),
    LIMITS,
).TestCase
TestHeap.settings = settings(max_examples=15, stateful_step_count=20)


@pytest.mark.parametrize(
    ("write", "fault", "message"),
    [
        (("GO AT B9",), AddressFault, "there is no record B9"),
        (("GO",) * 4, LimitFault, "a step wrote 4 windows, the limit is 3"),
        ((("B1", "x=0 y=" + "a" * 60),), LimitFault, "the records would hold 77 bytes, the limit is 60"),
    ],
)
def test_a_refused_write_says_why(write, fault, message):
    heap = Heap(LIMITS)
    with pytest.raises(fault, match=message):
        heap.write(heap.start("B1: x=0 y=0\nB2: x=1 y=1\nGO"), write)


def test_a_result_takes_its_place_in_the_instruction_below():
    heap = Heap()
    contents = heap.write(heap.start("B1: x=0 y=0\nGO"), ("TAKE a=B1 GOT ?", "GO"))
    contents = heap.write(contents, (("B1", "y=5"), Returned("B1")))
    assert heap.windows(contents) == ("B1: x=0 y=5", "TAKE a=B1 GOT B1")
    assert heap.read(heap.write(contents, (Returned("B1"),))) is None
    with pytest.raises(AddressFault, match="a result is returned, and the window below does not wait for one"):
        heap.write(heap.write(contents, ("GO", "GO")), (Returned("B1"),))


def test_a_new_record_gets_the_next_number():
    heap = Heap()
    contents = heap.write(heap.start("B1: x=0\nGO"), (Fresh(), ("B+1", "x=B1"), "TAKE GOT ?", "GO a=B+1 AT B+1"))
    assert heap.windows(contents) == ("B1: x=0", "B2: x=B1", "TAKE GOT ?", "GO a=B2 AT B2")
    contents = heap.write(contents, (Fresh(), ("B1", "x=B+1"), ("B+1", "x=-"), Returned("B+1")))
    assert heap.windows(contents) == ("B1: x=B3", "B2: x=B1", "B3: x=-", "TAKE GOT B3")


def test_instructions_and_records_are_limited_together():
    heap = Heap(LIMITS)
    contents = heap.start("B1: x=0 y=0\nB2: x=1 y=1\nGO")
    for _ in range(2):
        contents = heap.write(contents, ("GO", "GO", "GO"))
    with pytest.raises(LimitFault, match="there would be 8 instructions and records, the limit is 7"):
        heap.write(contents, (("B3", "c"), "GO"))


def steps_until_a_loop(write_of, first="B1: 0\nGO AT B1", steps=50):
    """After how many steps a loop is found, None if none is."""
    heap = Heap()
    contents, anchor = heap.start(first), Anchor()
    for step in range(steps):
        anchor = anchor.after(step, *heap.key(contents))
        if anchor is None:
            return step
        contents = heap.write(contents, write_of(step))
    return None


def test_the_same_instruction_with_other_records_is_no_loop():
    assert steps_until_a_loop(lambda step: (("B1", f"{step + 1}"), "GO AT B1")) is None


@pytest.mark.parametrize("cycle", [1, 2, 5])
def test_a_loop_is_found_within_a_few_rounds(cycle):
    assert steps_until_a_loop(lambda step: (("B1", f"{step % cycle}"), "GO AT B1")) <= 6 * cycle + 2


def test_a_loop_above_instructions_that_wait_is_found():
    assert steps_until_a_loop(lambda step: ("GO",) if step else ("WAIT", "GO"), "GO") <= 5
