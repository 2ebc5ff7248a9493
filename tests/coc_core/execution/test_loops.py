"""When a run is found to be endless, by what its memory holds before each step."""

import pytest
from hypothesis import given, strategies as st

from coc_core.execution import Anchor
from coc_core.memories import PDAStack, PointerTape, TapeWrite
from tests.support.for_each import for_each


def loops_after(keys, anchor=Anchor(), steps=0):
    """After how many more steps a run with these keys is found to be endless; None if it never is."""
    for step, (level, value) in enumerate(keys):
        anchor = anchor.after(steps + step, level, value)
        if anchor is None:
            return step
    return None


def keys_of(memory, contents, writes):
    for write in writes:
        yield memory.key(contents)
        contents = memory.write(contents, write)


def on_tape(length, rounds):
    tape = PointerTape()
    contents = tape.write(tape.start("a"), TapeWrite(tuple((index, "a") for index in range(1, length)), 0))
    return keys_of(tape, contents, [TapeWrite((), (index + 1) % length) for index in range(length)] * rounds)


def on_stack(length, rounds, *below):
    stack = PDAStack()
    return keys_of(stack, stack.start("0"), [(*below, str((index + 1) % length)) for index in range(length)] * rounds)


@pytest.mark.parametrize("keys", [on_tape, on_stack, lambda *how: on_stack(*how, "rest")])
@pytest.mark.parametrize("length", [1, 2, 3, 7, 30])
def test_a_cycle_is_found_within_four_rounds(keys, length):
    assert length <= loops_after(keys(length, 10)) <= 4 * length


@for_each("length", [1, 2, 3, 4, 7, 8, 30, 100])
def test_a_loop_is_found_one_round_after_a_power_of_two(length):
    """The anchor lies at the 1st, 2nd, 4th, 8th, … step, and moves up only if the round is longer than that."""
    no_shorter, longer = 1 << (length - 1).bit_length(), 1 << length.bit_length()
    assert loops_after(on_tape(length, 10)) + 1 == no_shorter + length
    assert loops_after(on_stack(length, 10)) + 1 == longer + length


@pytest.mark.parametrize("before", [10, 15, 16, 17, 20])
def test_a_configuration_that_can_not_recur_is_not_an_anchor(before):
    """A tape that has grown, and a stack that has shrunk, look for a loop from there on."""
    tape = [(-1 - step, 0) for step in range(before)]
    stack = [(before - step, "0") for step in range(before)]
    for keys, then in ((tape, [(-1 - before, value) for value in (0, 1, 2)]), (stack, [(0, text) for text in "012"])):
        assert loops_after([*keys, *(3 * then)]) == before + 3


def test_a_memory_that_keeps_growing_is_not_taken_for_a_loop():
    assert loops_after((-step, 0) for step in range(200)) is None


def test_equal_adjacent_windows_are_not_a_loop_of_a_stack():
    assert loops_after((100 - step, "a") for step in range(100)) is None


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 2), st.integers(1, 20)), max_size=60),
)
def test_steps_that_are_skipped_change_no_verdict(moves):
    """A stack whose windows are sometimes skipped with all that they lead to is found in a loop at the same step."""
    taken, skipped, steps, depth = Anchor(), Anchor(), 0, 30
    for skip, value, inner in moves:
        taken, skipped = taken.after(steps, depth, value), skipped.after(steps, depth, value)
        assert (taken is None) == (skipped is None)
        if taken is None or skipped is None:
            return
        for _ in range(inner if skip else 0):  # steps above the window, no two alike
            steps += 1
            taken = taken.after(steps, depth + 1, object())
        steps, depth = steps + 1, depth - skip
