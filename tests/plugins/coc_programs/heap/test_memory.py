"""The heap beside a list and a dictionary."""

import re
from itertools import islice, pairwise

import pytest
from attrs import evolve, field, frozen
from hypothesis import given, settings, strategies as st

from coc_check.strategies import PlainMemory, memory_machine
from coc_core.errors import AddressFault, LimitFault
from coc_core.execution import Anchor
from coc_core.types import Limits
from coc_programs.heap import memory
from coc_programs.heap.convention import name_pattern
from coc_programs.heap.memory import First, Heap, Window, changes, picker

LIMITS = Limits(tape_bytes=60, stack_depth=7, windows_per_step=3)
NAMES = st.sampled_from(["B1", "B2", "B3", "B4"])
RECORDS = st.one_of(
    st.tuples(NAMES, st.sampled_from(["x=1 y=2", "x=3 y=4"])),
    st.tuples(st.sampled_from(["B1", "B2"]), st.sampled_from(["x=5", "y=60"])),
)
NONE = picker(())
INSTRUCTIONS = st.one_of(st.sampled_from(["GO", "STOP"]), NAMES.map("GO AT {}".format))


def write_of(*texts, result=None):
    """What a step writes, without names that could be collected: records by name, and instructions."""
    records = [
        ((name, NONE), changes(fields, ())) for name, fields in filter(lambda each: isinstance(each, tuple), texts)
    ]
    pushed = [((each, NONE), (each[6:] if " AT " in each else "", NONE)) for each in texts if isinstance(each, str)]
    return records, pushed, result and (result, NONE), ()


def made(new, before):
    """What a step writes that makes a record, which names another or none, and pushes an instruction that names it."""
    fields = changes("x=B%s", [1]) if before else changes("x=-", [])
    return [(("B%s", picker([0])), fields)], [(("GO a=B%s", picker([0])), ("", NONE))], None, (new, before)


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
        text = (self.stack[-1] + (f": {self.records[name]}" if name else "")) if self.stack else None
        return Window(text, (), len(self.records) + 1)

    def writes(self):
        return st.lists(st.one_of(RECORDS, INSTRUCTIONS), max_size=4).map(lambda texts: write_of(*texts))

    def after(self, write):
        records, pushed = dict(self.records), [text for (text, _), _ in write[1]]
        stack = (*self.stack[:-1], *pushed)
        for (name, _), made in write[0]:
            values = dict(part.split("=") for part in f"{records.get(name, '')} {made[''][0]}".split())
            records[name] = " ".join(f"{key}={value}" for key, value in values.items())
        wanted = {text[6:] for text in pushed if " AT " in text}
        if len(write[0]) + len(pushed) > 3:
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
        heap.write(heap.start("B1: x=0 y=0\nB2: x=1 y=1\nGO"), write_of(*write))


def test_a_result_takes_its_place_in_the_instruction_below():
    heap = Heap()
    contents = heap.write(heap.start("B1: x=0 y=0\nGO"), write_of("TAKE a=B1 GOT ?", "GO"))
    contents = heap.write(contents, write_of(("B1", "y=5"), result="B1"))
    assert heap.windows(contents) == ("B1: x=0 y=5", "TAKE a=B1 GOT B1")
    assert heap.read(heap.write(contents, write_of(result="B1"))) is None
    with pytest.raises(AddressFault, match="a result is returned, and the window below does not wait for one"):
        heap.write(heap.write(contents, write_of("GO", "GO")), write_of(result="B1"))


def test_instructions_and_records_are_limited_together():
    heap = Heap(LIMITS)
    contents = heap.start("B1: x=0 y=0\nB2: x=1 y=1\nGO")
    for _ in range(2):
        contents = heap.write(contents, write_of("GO", "GO", "GO"))
    with pytest.raises(LimitFault, match="there would be 8 instructions and records, the limit is 7"):
        heap.write(contents, write_of(("B3", "c"), "GO"))


def steps_until_a_loop(texts_of, first="B1: 0\nGO AT B1", steps=50):
    """After how many steps a loop is found, None if none is."""
    heap = Heap()
    contents, anchor = heap.start(first), Anchor()
    for step in range(steps):
        anchor = anchor.after(step, *heap.key(contents))
        if anchor is None:
            return step
        contents = heap.write(contents, write_of(*texts_of(step)))
    return None


def test_the_same_instruction_with_other_records_is_no_loop():
    assert steps_until_a_loop(lambda step: (("B1", f"{step + 1}"), "GO AT B1")) is None


@pytest.mark.parametrize("cycle", [1, 2, 5])
def test_a_loop_is_found_within_a_few_rounds(cycle):
    assert steps_until_a_loop(lambda step: (("B1", f"{step % cycle}"), "GO AT B1")) <= 6 * cycle + 2


def test_a_loop_above_instructions_that_wait_is_found():
    assert steps_until_a_loop(lambda step: ("GO",) if step else ("WAIT", "GO"), "GO") <= 5


def ever_new():
    """The windows of a heap whose every step makes a record."""
    heap, first = Heap(LIMITS), First("%1: C=1\nB1: x=-\nGO a=B1")
    first.names = name_pattern({"B"})
    contents = heap.start(first)
    while True:
        yield heap.windows(contents)
        contents = heap.write(contents, made(f"{heap.read(contents)[1].new}", ""))


def test_records_that_nothing_reaches_are_dropped_before_a_limit_is_reached():
    for windows in islice(ever_new(), 1, 100):
        last = len(windows) - 1
        assert (windows[0], windows[last - 1 :]) == ("%1: C=1", (f"B{last}: x=-", f"GO a=B{last}"))
        assert sum(map(bool, windows)) <= 7


def test_records_are_looked_through_once_there_are_half_as_many_more(monkeypatch):
    heap, first, found = Heap(), First("B1: x=-\nGO a=B1"), []
    heap.spare, first.names = 1, name_pattern({"B"})
    reached = memory._reached
    monkeypatch.setattr(memory, "_reached", lambda *given: found.append(reached(*given)) or found[-1])
    contents = heap.start(first)
    for new in map(str, range(2, 300)):
        contents = heap.write(contents, made(new, str(int(new) - 1)))
    sizes = [len(each) for each in found]
    assert sizes[-1] > 100
    assert all(3 * few <= 2 * many for few, many in pairwise(sizes))


def reached(windows, count):
    """The records that instructions reach, from record to record, by their places: `windows` begins with `count`."""
    found, queue = dict[int, str](), [*windows[count:]]
    for text in queue:
        for place in (int(number) - 1 for number in re.findall("(?:B|any)([0-9]+)", text)):
            if place not in found:
                found[place] = windows[place]
                queue.append(windows[place])
    return found


@settings(max_examples=40)
@given(st.data())
def test_a_record_that_is_reached_is_never_dropped(data):
    keeps, drops, first = Heap(), Heap(), First("B1: x=B1 y=any2\nB2: x=B1 y=any1\nGO a=any1 AT B2")
    drops.spare, first.names = 0, name_pattern({"B", "any"})
    kept = dropped = keeps.start(first)
    for _ in range(20):
        _, numbers, new = (keeps.read(kept) or (-1, (None, (), 0)))[1]
        if not numbers:
            break
        makes = data.draw(st.booleans())
        places = st.integers(-makes, len(numbers) - 1)  # the last of those that are given is of the new one
        triples = st.lists(st.tuples(places, places, places), max_size=3)
        written = [(-1, 0, 0)] * makes + data.draw(triples)
        records = [(("B%s", picker([which])), changes("x=B%s y=any%s", rest)) for which, *rest in written]
        pushed = [(("GO a=any%s AT B%s", picker(two)), ("B%s", picker(two[1:]))) for *two, _ in data.draw(triples)]
        write = records, pushed, None, (*numbers, f"{new}")
        kept, dropped = keeps.write(kept, write), drops.write(dropped, write)
        assert keeps.read(kept) == drops.read(dropped)
        assert reached(keeps.windows(kept), kept[4]) == reached(drops.windows(dropped), kept[4])
