import pytest
from attrs import evolve, frozen
from hypothesis import settings, strategies as st

from coc_cells.memory import Cells, CellWindow, CellWrite
from coc_check.strategies import PlainMemory, memory_machine
from coc_core.errors import AddressFault, LimitFault
from coc_core.execution import Anchor
from coc_core.types import Limits

LIMITS = Limits(stack_depth=12, tape_bytes=40, windows_per_step=4)
texts = st.text("ab =1é", max_size=6)


@frozen
class PlainCells(PlainMemory):
    """A list and a number."""

    windows: tuple[str, ...]
    limits: Limits
    pointer: int = 0

    def window(self):
        return CellWindow(self.pointer, self.windows[self.pointer])

    def writes(self):
        last = len(self.windows) - 1
        anything = st.builds(
            CellWrite,
            st.lists(st.tuples(st.integers(-1, 14), texts), max_size=5).map(tuple),
            st.integers(-2, 14),
        )
        return anything | st.builds(CellWrite, texts.map(lambda text: ((last, text),)), st.just(last))

    def after(self, write):
        windows, limits = list(self.windows), self.limits
        if len(write.cells) > limits.windows_per_step:
            raise LimitFault("too many at once")
        addresses = [address for address, _ in write.cells]
        for address, text in write.cells:
            if addresses.count(address) > 1 or not 0 <= address <= len(windows):
                raise AddressFault("no such cell")
            windows[address : address + 1] = [text]
        if not -1 <= write.ptr < len(windows):
            raise AddressFault("no such cell")
        if len(windows) > limits.stack_depth or len("".join(windows).encode()) > limits.tape_bytes:
            raise LimitFault("too many, or too long")
        return evolve(self, windows=tuple(windows), pointer=write.ptr)


TestCells = memory_machine(Cells, PlainCells, texts, LIMITS).TestCase
TestCells.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


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
def test_a_write_is_refused_with_a_reason(write, fault, reason):
    cells = Cells(Limits(stack_depth=3, tape_bytes=6, windows_per_step=3))
    with pytest.raises(fault, match=reason):
        cells.write(cells.start("a"), write)


def test_overwriting_frees_the_bytes_of_the_old_text():
    cells = Cells(Limits(tape_bytes=6))
    contents = cells.start("aaaaaa")
    for text in ("bbbbbb", "é", "cccccc"):
        contents = cells.write(contents, CellWrite(((0, text),), 0))
    assert cells.windows(contents) == ("cccccc",)


def steps_until_a_loop_is_found(cells, writes):
    contents, anchor = cells.start("0"), Anchor()
    for step, write in enumerate(writes):
        anchor = anchor.after(step, *cells.key(contents))
        if anchor is None:
            return step
        contents = cells.write(contents, write)
    return None


@pytest.mark.parametrize("length", [1, 2, 3, 7, 30])
def test_a_cycle_is_found(length):
    writes = [CellWrite(((0, str(step % length)),), 0) for step in range(1, 5 * length + 5)]
    assert steps_until_a_loop_is_found(Cells(), writes) >= length


def test_a_run_without_a_cycle_is_not_accused():
    writes = [CellWrite(((step % 3, str(step)),) if step > 2 else ((step, "a"),), step % 3) for step in range(1, 2000)]
    assert steps_until_a_loop_is_found(Cells(), writes) is None
