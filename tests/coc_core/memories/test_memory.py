import pytest
from hypothesis import settings

from coc_check.strategies import memory_machine
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import Convention, Memory, PDAStack, PointerTape
from coc_core.memories.tape import TapeWrite
from coc_core.types import Limits
from tests.support.for_each import for_each
from tests.support.plain_memories import PlainStack, PlainTape

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
    tape = PointerTape()
    with pytest.raises(AddressFault, match=reason):
        tape.write(tape.start("a"), write)


def test_a_window_at_an_address_that_is_not_free_is_quoted():
    tape = PointerTape()
    with pytest.raises(AddressFault) as fault:
        tape.write(tape.start("a"), TapeWrite(((1, "b"), (7, "c"), (3, "d")), 0))
    assert fault.value.text == "c"


def test_a_window_that_is_kept_nowhere_takes_no_address():
    tape = PointerTape()
    contents = tape.write(tape.start("a"), TapeWrite(((-1, "never kept"), (1, "b"), (-1, "nor this"), (2, "c")), -1, 3))
    assert (tape.windows(contents), tape.read(contents)) == (("a", "b", "c"), None)


def test_the_bytes_of_a_tape_have_a_limit_that_may_be_reached():
    tape = PointerTape(Limits(tape_bytes=5))
    contents = tape.write(tape.start("aaa"), TapeWrite(((1, "bb"),), 1))
    for _ in range(2):  # what was written from older contents does not count
        assert tape.windows(tape.write(tape.start("aaa"), TapeWrite(((1, "cc"),), 1))) == ("aaa", "cc")
    with pytest.raises(LimitFault, match="the tape would hold 6 bytes, the limit is 5"):
        tape.write(contents, TapeWrite(((2, "c"),), 2))


def test_the_depth_of_a_stack_and_the_windows_of_a_step_have_limits_that_may_be_reached():
    stack = PDAStack(Limits(stack_depth=2, windows_per_step=2))
    contents = stack.write(stack.start("a"), ("b", "c"))
    with pytest.raises(LimitFault, match="the stack would be 3 deep, the limit is 2"):
        stack.write(contents, ("d", "e"))
    with pytest.raises(LimitFault, match="a step pushed 3 windows, the limit is 2"):
        PDAStack(Limits(windows_per_step=2)).write(stack.start("a"), ("b", "c", "d"))


def test_tapes_share_what_they_have_alike():
    tape = PointerTape()
    first = tape.start("a")
    second = tape.write(first, TapeWrite(((1, "bb"), (2, "c")), 2))
    again = tape.write(first, TapeWrite(((1, "bb"), (2, "c")), 1))
    other = tape.write(first, TapeWrite(((1, "b"), (2, "bc")), 1))
    assert first[0] is second[0] is again[0] is not other[0]
    texts = [tape.windows(each) for each in (first, second, again, other)]
    assert texts == [("a",), ("a", "bb", "c"), ("a", "bb", "c"), ("a", "b", "bc")]


def test_an_author_of_a_memory_writes_few_methods():
    assert len(Memory.__abstractmethods__) <= 5
    assert len(Memory.__abstractmethods__) + len(Convention.__abstractmethods__) <= 8
