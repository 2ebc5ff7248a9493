"""The transcript beside a list of everything that was written."""

import pytest
from attrs import evolve, frozen
from hypothesis import settings, strategies as st

from coc_check.strategies import PlainMemory, memory_machine
from coc_core.errors import LimitFault
from coc_core.execution import Anchor
from coc_core.types import Limits
from coc_paper.transcript.transcript import BREAK, Entry, Transcript
from tests.support.for_each import for_each

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


@for_each(
    ("entries", "message"),
    [
        ([Entry("a", 3)], "a step pushed 3 windows, the limit is 2"),
        ([Entry("a" * 60, 1)], "the transcript would hold 67 bytes, the limit is 60"),
        ([Entry("a", 2)] * 4, "5 instructions would be pending, the limit is 4"),
    ],
)
def test_a_limit_is_named(entries, message):
    memory = Transcript(LIMITS)
    contents = memory.start("first")
    for entry in entries[:-1]:
        contents = memory.write(contents, entry)
    with pytest.raises(LimitFault, match=message):
        memory.write(contents, entries[-1])
