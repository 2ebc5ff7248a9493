"""What a memory's layout says, and what it must not."""

from coc_core.memories import Layout, StackConvention
from coc_core.memories.tape import TAPE_LAYOUT


def test_by_default_there_is_a_pointer_and_nothing_else():
    layout = Layout()
    assert layout.status(("a", "b"), 1) == "pointer at 1"
    assert layout.status(("a",), 0) == "pointer at 0"
    assert layout.status((), -1) == "halted"
    assert layout.register_values(("a",), 0) == ()
    assert layout.waiting_windows(("a",), 0) is None
    assert not layout.newest_first


def test_registers_and_waiting_windows_follow_from_the_windows_and_the_pointer():
    layout = Layout(
        registers={"TOP": lambda windows, pointer: len(windows) - 1, "PTR": lambda windows, pointer: pointer},
        waiting=lambda windows, pointer: range(pointer, len(windows)),
    )
    assert layout.status(("a", "b", "c"), 1) == "pointer at 1, TOP=2, PTR=1"
    assert layout.status(("a", "b", "c"), -1) == "halted, TOP=2, PTR=-1"
    assert layout.waiting_windows(("a", "b", "c"), 1) == range(1, 3)


def test_on_a_stack_every_window_waits_and_on_a_tape_no_one_knows():
    assert StackConvention.layout.waiting_windows(("a", "b", "c"), 2) == range(3)
    assert StackConvention.layout.status(("a", "b", "c"), 2) == "pointer at 2"
    assert TAPE_LAYOUT.waiting_windows(("a", "b"), 0) is None
    assert TAPE_LAYOUT.status(("a", "b"), 0) == "pointer at 0, NEXT_ID=2"
