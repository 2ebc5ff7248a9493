"""The heap beside a list and a dictionary."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from coc_core.errors import AddressFault, LimitFault
from coc_core.types import Limits
from coc_heap.memory import Heap, Stored

LIMITS = Limits(tape_bytes=40, stack_depth=7, windows_per_step=3)
NAMES = st.sampled_from(["B1", "B2", "B3", "B4"])
RECORDS = st.builds(Stored, NAMES, st.text("ab ", min_size=1, max_size=12))
INSTRUCTIONS = st.one_of(st.sampled_from(["GO", "STOP"]), NAMES.map("GO AT {}".format))


class HeapBesideAList(RuleBasedStateMachine):
    """The heap does what a list and a dictionary do, and a step that is refused does nothing."""

    @initialize(first=st.sampled_from(["GO", "GO AT B1"]))
    def start(self, first):
        self.heap = Heap("\n".join(("B1: a", "B2: b", first)), LIMITS)
        self.stack, self.records, self.marks = [first], {"B1": "a", "B2": "b"}, []

    @precondition(lambda self: self.stack)
    @rule(write=st.lists(st.one_of(RECORDS, INSTRUCTIONS), max_size=4))
    def apply(self, write):
        stored = [each for each in write if isinstance(each, Stored)]
        pushed = [each for each in write if not isinstance(each, Stored)]
        records, stack = {**self.records, **dict(stored)}, [*self.stack[:-1], *pushed]
        wanted = [text[6:] for text in pushed if " AT " in text]
        before = self.heap.mark()
        if len(write) > 3:
            fault = LimitFault
        elif len({name for name, _ in stored}) < len(stored) or not set(wanted) <= set(records):
            fault = AddressFault
        elif len(stack) + len(records) > 7 or sum(map(len, (*records, *records.values()))) > 40:
            fault = LimitFault
        else:
            self.heap.apply(tuple(write))
            self.stack, self.records = stack, records
            return
        with pytest.raises(fault):
            self.heap.apply(tuple(write))
        assert self.heap.mark() == before

    @rule()
    def mark(self):
        self.marks.append((self.heap.mark(), list(self.stack), dict(self.records)))

    @precondition(lambda self: self.marks)
    @rule(data=st.data())
    def rollback(self, data):
        mark, stack, records = data.draw(st.sampled_from(self.marks))
        self.heap.rollback(mark)
        self.stack, self.records = list(stack), dict(records)

    @invariant()
    def holds_the_same(self):
        heap, stack = self.heap, self.stack
        assert heap.windows() == (*map(": ".join, self.records.items()), *stack)
        assert heap.pointer == (len(heap.windows()) - 1 if stack else -1)
        assert heap.halted == (not stack)
        name = stack[-1][6:] if stack and " AT " in stack[-1] else ""
        record = f": {self.records[name]}" if name else ""
        assert heap.fetch() == (stack[-1] + record if stack else None)


TestHeapBesideAList = HeapBesideAList.TestCase


@pytest.mark.parametrize(
    ("write", "fault", "message"),
    [
        ((Stored("B1", "a"), Stored("B1", "b")), AddressFault, "wrote the record B1 twice in one step"),
        (("GO AT B9",), AddressFault, "there is no record B9"),
        (("GO",) * 4, LimitFault, "a step wrote 4 windows, the limit is 3"),
        ((Stored("B1", "a" * 40),), LimitFault, "the records would hold 45 bytes, the limit is 40"),
    ],
)
def test_a_refused_write_says_why(write, fault, message):
    heap = Heap("B1: a\nB2: b\nGO", LIMITS)
    with pytest.raises(fault, match=message):
        heap.apply(write)


def test_instructions_and_records_are_limited_together():
    heap = Heap("B1: a\nB2: b\nGO", LIMITS)
    heap.apply(("GO", "GO", "GO"))
    heap.apply(("GO", "GO", "GO"))
    with pytest.raises(LimitFault, match="there would be 8 instructions and records, the limit is 7"):
        heap.apply((Stored("B3", "c"), "GO"))


def test_the_same_instruction_with_other_records_is_no_loop():
    heap = Heap("B1: 0\nGO AT B1")
    for number in range(1, 50):
        assert not heap.repeats()
        heap.apply((Stored("B1", f"{number}"), "GO AT B1"))


@pytest.mark.parametrize("cycle", [1, 2, 5])
def test_a_loop_is_found_within_a_few_rounds(cycle):
    heap, steps = Heap("B1: 0\nGO AT B1"), 0
    while not heap.repeats():
        heap.apply((Stored("B1", f"{steps % cycle}"), "GO AT B1"))
        steps += 1
    assert steps <= 6 * cycle + 2


def test_a_loop_above_instructions_that_wait_is_found():
    heap, steps = Heap("GO"), 0
    heap.apply(("WAIT", "GO"))
    while not heap.repeats():
        heap.apply(("GO",))
        steps += 1
    assert steps <= 4


def test_a_stack_that_grows_is_no_loop():
    heap = Heap("GO")
    for _ in range(50):
        assert not heap.repeats() or heap.windows()[-1] == "GO"
        heap.apply(("STOP", "GO"))


def test_without_records_an_instruction_may_have_any_text():
    heap = Heap("GO AT B1")
    assert heap.fetch() == "GO AT B1"
    heap.apply(("B1: a", "STOP AT B2"))
    assert heap.fetch() == "STOP AT B2"
    heap.apply(())
    assert heap.fetch() == "B1: a"
