import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from coc_cells.memory import Cells, CellWindow, CellWrite
from coc_core.errors import AddressFault, LimitFault
from coc_core.types import Limits

LIMITS = Limits(stack_depth=12, tape_bytes=40, windows_per_step=4)
texts = st.text("ab =1é", max_size=6)


class CellsAgainstList(RuleBasedStateMachine):
    """The cells do what a list and a number do, and a refused write does nothing."""

    @initialize(first=texts)
    def start(self, first):
        self.cells = Cells(first, LIMITS)
        self.windows, self.pointer, self.marks = [first], 0, []

    @rule(writes=st.lists(st.tuples(st.integers(-1, 14), texts), max_size=5), pointer=st.integers(-2, 14))
    def apply(self, writes, pointer):
        windows, bad = list(self.windows), None
        if len(writes) > LIMITS.windows_per_step:
            bad = LimitFault
        addresses = [address for address, _ in writes]
        for address, text in writes:
            if not bad and (addresses.count(address) > 1 or not 0 <= address <= len(windows)):
                bad = AddressFault
            elif not bad:
                windows[address : address + 1] = [text]
        if not bad and not -1 <= pointer < len(windows):
            bad = AddressFault
        if not bad and (len(windows) > 12 or len("".join(windows).encode()) > 40):
            bad = LimitFault
        if bad:
            with pytest.raises(bad):
                self.cells.apply(CellWrite(tuple(writes), pointer))
        else:
            self.cells.apply(CellWrite(tuple(writes), pointer))
            self.windows, self.pointer = windows, pointer

    @rule(text=texts)
    def overwrite(self, text):
        place = len(self.windows) - 1
        if len("".join([*self.windows[:-1], text]).encode()) <= 40:
            self.cells.apply(CellWrite(((place, text),), place))
            self.windows[place], self.pointer = text, place

    @rule()
    def mark(self):
        self.marks.append((self.cells.mark(), list(self.windows), self.pointer))

    @precondition(lambda self: self.marks)
    @rule(data=st.data())
    def rollback(self, data):
        index = data.draw(st.integers(0, len(self.marks) - 1))
        mark, windows, self.pointer = self.marks[index]
        del self.marks[index + 1 :]
        self.windows = list(windows)
        self.cells.rollback(mark)

    @invariant()
    def is_what_the_list_says(self):
        window = CellWindow(self.pointer, self.windows[self.pointer]) if self.pointer >= 0 else None
        assert self.cells.fetch() == self.cells.fetch() == window
        assert self.cells.windows() == tuple(self.windows)
        assert self.cells.pointer == self.pointer
        assert self.cells.halted == (self.pointer == -1)


TestCellsAgainstList = CellsAgainstList.TestCase
TestCellsAgainstList.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


@pytest.mark.parametrize(
    ("write", "fault", "reason"),
    [
        (CellWrite(((2, "b"),), 0), AddressFault, "wrote to cell 2, the next new one is 1"),
        (CellWrite(((-1, "b"),), -1), AddressFault, "wrote to cell -1, the next new one is 1"),
        (CellWrite(((0, "b"), (0, "c")), 0), AddressFault, "wrote to cell 0 twice in one step"),
        (CellWrite((), 1), AddressFault, "PTR=1 has no cell: there are cells 0 to 0"),
        (CellWrite(((1, "b"),), -2), AddressFault, "PTR=-2 has no cell: there are cells 0 to 1"),
        (CellWrite(((1, "b"), (2, "c"), (3, "d")), 0), LimitFault, "there would be 4 cells, the limit is 3"),
        (CellWrite(((1, "bbbbbb"),), 0), LimitFault, "the cells would hold 7 bytes, the limit is 6"),
        (CellWrite(((1, ""), (2, ""), (3, ""), (4, "")), 0), LimitFault, "a step wrote 4 cells, the limit is 3"),
    ],
)
def test_a_refused_write_changes_nothing(write, fault, reason):
    cells = Cells("a", Limits(stack_depth=3, tape_bytes=6, windows_per_step=3))
    with pytest.raises(fault, match=reason):
        cells.apply(write)
    assert (cells.windows(), cells.pointer) == (("a",), 0)


def test_overwriting_frees_the_bytes_of_the_old_text():
    cells = Cells("aaaaaa", Limits(tape_bytes=6))
    for text in ("bbbbbb", "é", "cccccc"):
        cells.apply(CellWrite(((0, text),), 0))
    assert cells.windows() == ("cccccc",)


@pytest.mark.parametrize("length", [1, 2, 3, 7, 30])
def test_a_cycle_is_found_again_after_a_rollback(length):
    cells = Cells("0")
    start, found = cells.mark(), []
    for _ in range(2):
        cells.rollback(start)
        step = 0
        while not cells.repeats():
            step += 1
            cells.apply(CellWrite(((0, str(step % length)),), 0))
            assert step < 5 * length + 5
        found.append(step)
    assert found[0] == found[1] >= length


def test_a_run_without_a_cycle_is_not_accused():
    cells = Cells("0")
    for step in range(1, 2000):
        assert not cells.repeats()
        cells.apply(CellWrite(((step % 3, str(step)),) if step > 2 else ((step, "a"),), step % 3))
