"""The transcript beside a list of everything that was written."""

import pytest
from attrs import evolve, frozen
from hypothesis import settings, strategies as st

from coc_check.strategies import PlainMemory, memory_machine
from coc_core.errors import LimitFault
from coc_core.execution import Anchor
from coc_core.types import Limits
from coc_paper.transcript.memory import BREAK, Entry, Transcript

ENTRIES = st.builds(Entry, st.text("ab\n\u00e9", min_size=1, max_size=9), st.integers(0, 3))
LIMITS = Limits(tape_bytes=60, stack_depth=4, windows_per_step=2)


@frozen
class PlainTranscript(PlainMemory):
    """A list of texts and a number."""

    texts: tuple[str, ...]
    limits: Limits
    pending: int = 1

    @property
    def windows(self):
        return (BREAK.join(self.texts),)

    @property
    def pointer(self):
        return 0 if self.pending else -1

    def window(self):
        return BREAK.join(self.texts)

    def writes(self):
        return ENTRIES

    def after(self, write):
        texts, pending = (*self.texts, write.text), self.pending - 1 + write.instructions
        if len(BREAK.join(texts).encode()) > 60 or pending > 4 or write.instructions > 2:
            raise LimitFault("too much")
        return evolve(self, texts=texts, pending=pending)


TestTranscript = memory_machine(Transcript, PlainTranscript, st.just("first"), LIMITS).TestCase
TestTranscript.settings = settings(max_examples=40, stateful_step_count=20)


def test_a_transcript_is_no_loop():
    memory = Transcript()
    contents, anchor = memory.start("first"), Anchor()
    for step in range(20):
        anchor = anchor.after(step, *memory.key(contents))
        assert anchor is not None
        contents = memory.write(contents, Entry("", 1))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (Entry("a", 3), "a step pushed 3 windows, the limit is 2"),
        (Entry("a" * 60, 1), "the transcript would hold 67 bytes, the limit is 60"),
    ],
)
def test_a_limit_is_named(entry, message):
    memory = Transcript(LIMITS)
    with pytest.raises(LimitFault, match=message):
        memory.write(memory.start("first"), entry)


def test_the_pending_instructions_are_limited():
    memory = Transcript(LIMITS)
    contents = memory.start("first")
    for _ in range(3):
        contents = memory.write(contents, Entry("a", 2))
    with pytest.raises(LimitFault, match="5 instructions would be pending, the limit is 4"):
        memory.write(contents, Entry("a", 2))
