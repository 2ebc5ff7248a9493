"""The memories of the core as plain values: what a stack and a tape have to do."""

from attrs import evolve, frozen
from hypothesis import strategies as st

from coc_check.strategies import LIMITS, TEXTS, PlainMemory
from coc_core.errors import AddressFault, LimitFault
from coc_core.memories import HALT
from coc_core.memories.tape import TapeWindow, TapeWrite

FEW = st.lists(TEXTS, max_size=5)  # one more than a step may write


@frozen
class PlainStack(PlainMemory):
    """A pushdown stack: a step replaces the top by what it writes, which are texts."""

    windows: tuple[str, ...]
    limits: object = LIMITS

    @property
    def pointer(self):
        return len(self.windows) - 1

    def window(self):
        return self.windows[-1] if self.windows else None

    def writes(self):
        return FEW.map(tuple)

    def after(self, write):
        windows = (*self.windows[:-1], *write)
        if write and (len(write) > self.limits.windows_per_step or len(windows) > self.limits.stack_depth):
            raise LimitFault(f"{len(write)} windows are written, and {len(windows)} would be there")
        return evolve(self, windows=windows)


@frozen
class PlainTape(PlainMemory):
    """A tape to which a step appends, and on which it says where to go on (`TapeWrite`)."""

    windows: tuple[str, ...]
    limits: object = LIMITS
    pointer: int = 0

    def window(self):
        pointer, windows = self.pointer, self.windows
        return None if pointer == HALT else TapeWindow(pointer, len(windows), windows[pointer])

    def writes(self):
        return FEW.flatmap(self._writes)

    def _writes(self, texts):
        right, end = tuple(enumerate(texts, start=len(self.windows))), len(self.windows) + len(texts)
        shifted = tuple((address + 1, text) for address, text in right)
        windows = st.sampled_from([right, right, (*right, (HALT, "never kept")), shifted])
        return st.builds(TapeWrite, windows, st.integers(HALT, end), st.sampled_from([None, end, end + 1]))

    def after(self, write):
        windows = self.windows
        if len(write.windows) > self.limits.windows_per_step:
            raise LimitFault(f"{len(write.windows)} windows are written")
        for address, text in write.windows:
            if address == HALT and write.ptr == HALT:
                continue
            if address != len(windows):
                raise AddressFault(f"{address} is not the next free address, {len(windows)}")
            windows = (*windows, text)
        if not HALT <= write.ptr < len(windows) or write.next_id not in (None, len(windows)):
            raise AddressFault(f"PTR={write.ptr} or NEXT_ID={write.next_id} is wrong: {len(windows)} windows are there")
        if sum(len(window.encode()) for window in windows) > self.limits.tape_bytes:
            raise LimitFault("the tape would be too long")
        return evolve(self, windows=windows, pointer=write.ptr)
