"""The transcript beside a list of everything that was written."""

import pytest
from hypothesis import given, strategies as st

from coc_core.errors import LimitFault
from coc_core.types import Limits
from coc_transcript.memory import BREAK, Entry, Transcript

ENTRIES = st.lists(st.builds(Entry, st.text("ab\n\u00e9", min_size=1, max_size=9), st.integers(0, 3)), max_size=20)
LIMITS = Limits(tape_bytes=60, stack_depth=4, windows_per_step=2)


@given(ENTRIES)
def test_it_keeps_all_that_was_written_until_nothing_is_pending(entries):
    memory, texts, pending = Transcript("first"), ["first"], 1
    for entry in entries:
        if memory.halted:
            break
        memory.apply(entry)
        texts.append(entry.text)
        pending += entry.instructions - 1
        assert memory.windows() == (BREAK.join(texts),)
        assert (memory.fetch(), memory.pointer) == ((BREAK.join(texts), 0) if pending else (None, -1))
        assert not memory.repeats()


@given(ENTRIES)
def test_what_exceeds_a_limit_changes_nothing(entries):
    memory, texts, pending = Transcript("first", LIMITS), ["first"], 1
    for entry in entries:
        size = len(BREAK.join([*texts, entry.text]).encode())
        allowed = size <= 60 and pending - 1 + entry.instructions <= 4 and entry.instructions <= 2
        before = memory.mark()
        if memory.halted:
            break
        if allowed:
            memory.apply(entry)
            texts.append(entry.text)
            pending += entry.instructions - 1
            continue
        with pytest.raises(LimitFault):
            memory.apply(entry)
        assert memory.mark() == before
        assert memory.windows() == (BREAK.join(texts),)


@given(ENTRIES, st.integers(0, 20))
def test_a_mark_can_be_used_again_and_again(entries, place):
    memory = Transcript("first")
    mark, before = memory.mark(), memory.windows()
    for index, entry in enumerate(entries):
        if memory.halted:
            break
        if index == place:
            mark, before = memory.mark(), memory.windows()
        memory.apply(entry)
    for _ in range(2):
        memory.rollback(mark)
        assert memory.windows() == before
        assert memory.pointer == 0
        memory.apply(Entry("more", 0))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (Entry("a", 3), "a step pushed 3 windows, the limit is 2"),
        (Entry("a" * 60, 1), "the transcript would hold 67 bytes, the limit is 60"),
    ],
)
def test_a_limit_is_named(entry, message):
    with pytest.raises(LimitFault, match=message):
        Transcript("first", LIMITS).apply(entry)


def test_the_pending_instructions_are_limited():
    memory = Transcript("first", LIMITS)
    for _ in range(3):
        memory.apply(Entry("a", 2))
    with pytest.raises(LimitFault, match="5 instructions would be pending, the limit is 4"):
        memory.apply(Entry("a", 2))
