import pytest
from hypothesis import given, settings, strategies as st

from coc_check.strategies import PlainStack, PlainTape, memory_machine
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import PDAStack, PointerTape, TapeWrite
from coc_core.types import Limits
from tests.support.for_each import for_each

TestTape = memory_machine(PointerTape, PlainTape).TestCase
TestStack = memory_machine(PDAStack, PlainStack).TestCase
TestTape.settings = TestStack.settings = settings(max_examples=40, stateful_step_count=20)


@for_each(
    ("write", "reason"),
    [
        (TapeWrite(((0, "b"),), 0), "wrote to address 0, the next free one is 1"),
        (TapeWrite(((2, "b"),), 0), "wrote to address 2, the next free one is 1"),
        (TapeWrite(((1, "b"), (1, "c")), 0), "wrote to address 1, the next free one is 2"),
        (TapeWrite(((-1, "b"),), 0), "wrote to address -1, the next free one is 1"),
        (TapeWrite((), 1), "PTR=1 has no window: only addresses 0 to 0 are written"),
        (TapeWrite(((1, "b"),), 2), "PTR=2 has no window: only addresses 0 to 1 are written"),
        (TapeWrite((), -2), "PTR=-2 has no window"),
        (TapeWrite(((1, "b"),), 1, 1), "NEXT_ID=1, but the next free address is 2"),
    ],
)
def test_a_tape_refuses_addresses_it_cannot_honour(write, reason):
    tape = PointerTape("a")
    with pytest.raises(AddressFault, match=reason):
        tape.apply(write)
    assert (tape.windows(), tape.pointer) == (("a",), 0)


def test_a_window_at_an_address_that_is_not_free_is_quoted():
    with pytest.raises(AddressFault) as fault:
        PointerTape("a").apply(TapeWrite(((1, "b"), (7, "c"), (3, "d")), 0))
    assert fault.value.text == "c"


def test_a_window_that_is_kept_nowhere_takes_no_address():
    tape = PointerTape("a")
    tape.apply(TapeWrite(((-1, "never kept"), (1, "b"), (-1, "nor this"), (2, "c")), -1, 3))
    assert (tape.windows(), tape.halted) == (("a", "b", "c"), True)


def test_the_bytes_of_a_tape_have_a_limit_that_may_be_reached():
    tape = PointerTape("aaa", Limits(tape_bytes=5))
    tape.apply(TapeWrite(((1, "bb"),), 1))
    with pytest.raises(LimitFault, match="the tape would hold 6 bytes, the limit is 5"):
        tape.apply(TapeWrite(((2, "c"),), 2))
    assert tape.windows() == ("aaa", "bb")


def test_the_depth_of_a_stack_has_a_limit_that_may_be_reached():
    stack = PDAStack("a", Limits(stack_depth=2))
    stack.apply(("b", "c"))
    with pytest.raises(LimitFault, match="the stack would be 3 deep, the limit is 2"):
        stack.apply(("d", "e"))
    assert stack.windows() == ("b", "c")


def test_a_step_may_write_so_many_windows_and_no_more():
    stack = PDAStack("a", Limits(windows_per_step=2))
    with pytest.raises(LimitFault, match="a step pushed 3 windows, the limit is 2"):
        stack.apply(("b", "c", "d"))
    assert stack.windows() == ("a",)


def test_a_tape_does_not_go_back_to_what_it_has_forgotten():
    tape = PointerTape("a")
    before = tape.mark()
    tape.apply(TapeWrite(((1, "b"),), 1))
    after = tape.mark()
    tape.rollback(before)
    with pytest.raises(ValueError, match="the mark is of a tape of 2 windows; this one has 1"):
        tape.rollback(after)


def test_going_back_frees_the_bytes_of_a_tape():
    tape = PointerTape("a", Limits(tape_bytes=3))
    mark = tape.mark()
    for _ in range(5):
        tape.apply(TapeWrite(((1, "bb"),), 1))
        tape.rollback(mark)
    assert tape.windows() == ("a",)


def loops_within(memory, writes, rounds):
    """After how many steps of the endless cycle `writes` the memory says so; None if it never does."""
    for step in range(rounds):
        if memory.repeats():
            return step
        memory.apply(writes[step % len(writes)])
    return None


@pytest.mark.parametrize("length", [1, 2, 3, 7, 30])
def test_a_tape_finds_a_pointer_that_goes_round(length):
    tape = PointerTape("a")
    tape.apply(TapeWrite(tuple((index, "a") for index in range(1, length)), 0))
    cycle = [TapeWrite((), (index + 1) % length) for index in range(length)]
    assert length <= loops_within(tape, cycle, 10 * length) <= 4 * length


@pytest.mark.parametrize("length", [1, 2, 3, 7, 30])
def test_a_stack_detects_a_repeated_top(length):
    stack = PDAStack("0")
    cycle = [(str((index + 1) % length),) for index in range(length)]
    assert length <= loops_within(stack, cycle, 10 * length) <= 4 * length


@pytest.mark.parametrize("length", [1, 2, 3, 7, 30])
def test_a_stack_finds_a_recursion_that_only_grows(length):
    stack = PDAStack("0")
    cycle = [("rest", str((index + 1) % length)) for index in range(length)]
    assert length <= loops_within(stack, cycle, 10 * length) <= 4 * length


@for_each("length", [1, 2, 3, 4, 7, 8, 30, 100])
def test_a_loop_is_found_one_round_after_a_power_of_two(length):
    """The anchor lies at the 1st, 2nd, 4th, 8th, … question, and is replaced only if the round is longer than that."""
    tape, stack = PointerTape("a"), PDAStack("0")
    tape.apply(TapeWrite(tuple((index, "a") for index in range(1, length)), 0))
    round_of_tape = [TapeWrite((), (index + 1) % length) for index in range(length)]
    round_of_stack = [(str((index + 1) % length),) for index in range(length)]
    no_shorter, longer = 1 << (length - 1).bit_length(), 1 << length.bit_length()
    assert loops_within(tape, round_of_tape, 10 * length) + 1 == no_shorter + length
    assert loops_within(stack, round_of_stack, 10 * length) + 1 == longer + length


@pytest.mark.parametrize("before", [10, 15, 16, 17, 20])
def test_a_configuration_that_can_not_recur_is_not_an_anchor(before):
    """A tape that has grown, and a stack that has shrunk, look for a loop from there on."""
    tape, stack = PointerTape("a"), PDAStack("0")
    stack.apply(("0",) * (before + 1))
    for step in range(before):
        assert not tape.repeats()
        assert not stack.repeats()
        tape.apply(TapeWrite(((step + 1, "a"),), 0))
        stack.apply(())
    assert loops_within(tape, [TapeWrite((), 1), TapeWrite((), 2), TapeWrite((), 0)], 9) == 3
    assert loops_within(stack, [("1",), ("2",), ("0",)], 9) == 3


def test_a_tape_that_keeps_writing_is_not_taken_for_a_loop():
    tape = PointerTape("a")
    for step in range(200):
        assert not tape.repeats()
        tape.apply(TapeWrite(((step + 1, "a"),), 0))


def test_equal_adjacent_windows_are_not_a_loop_of_a_stack():
    stack = PDAStack("a")
    stack.apply(("a",) * 100)
    while not stack.halted:
        assert not stack.repeats()
        stack.apply(())
    assert not stack.repeats()


@pytest.mark.parametrize("memory", [PointerTape, PDAStack])
def test_a_first_window_is_not_a_loop_even_if_it_is_empty(memory):
    assert not memory("").repeats()


@pytest.mark.parametrize("memory", [PointerTape("a"), PDAStack("a")])
def test_a_rollback_is_not_a_loop(memory):
    mark = memory.mark()
    write = TapeWrite(((1, "b"),), 1) if isinstance(memory, PointerTape) else ("b", "c")
    for _ in range(20):
        assert not memory.repeats()
        memory.apply(write)
        memory.rollback(mark)


def step_on(memory, step):
    """One of a few steps: round and round, or one that writes something."""
    if isinstance(memory, PDAStack):
        memory.apply([("a",), ("b",), ("a", "b"), ("a", "a"), ()][step] or ("a",))
    else:
        free = len(memory.windows())
        memory.apply(TapeWrite(((free, "a"),), free) if step == 4 else TapeWrite((), step % free))


@pytest.mark.parametrize("fresh", [PointerTape, PDAStack])
@given(steps=st.lists(st.tuples(st.integers(0, 4), st.lists(st.integers(0, 4), max_size=6)), max_size=60))
def test_running_ahead_and_back_changes_no_verdict(fresh, steps):
    straight, scouting = fresh("a"), fresh("a")
    for step, ahead in steps:
        mark = scouting.mark()
        for other in ahead:
            scouting.repeats()
            step_on(scouting, other)
        scouting.rollback(mark)
        assert scouting.mark() == mark
        assert scouting.repeats() == straight.repeats()
        step_on(scouting, step)
        step_on(straight, step)
        assert (scouting.windows(), scouting.pointer) == (straight.windows(), straight.pointer)
        assert scouting.mark() == straight.mark()
