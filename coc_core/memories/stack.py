"""The pushdown stack."""

from collections.abc import Sequence

from coc_core.errors import LimitFault
from coc_core.memories.pushdown import Pushdown
from coc_core.types import Limits

Stack = tuple[str, "Stack"] | None
StackMark = tuple[Stack, int, tuple[str, int, int, int]]


class PDAStack(Pushdown[str, tuple[str, ...]]):
    """The paper's pushdown stack: a step pops the top, then pushes in the order written. It halts when it is empty.

    The stack is a persistent linked list, so a mark is a reference and a rollback is an assignment.
    """

    name = "pda"

    def __init__(self, first: str, limits: Limits = Limits()) -> None:
        self._stack: Stack = (first, None)
        self._depth = 1
        self._limits = limits
        self._checks = 0
        self._next_anchor = 1
        self._anchor = ""
        self._anchor_depth = 0

    def fetch(self) -> str | None:
        stack = self._stack
        return None if stack is None else stack[0]

    def apply(self, write: tuple[str, ...]) -> None:
        assert self._stack is not None  # apply follows a fetch
        if not write:
            self._stack = self._stack[1]
            self._depth -= 1
            return
        depth = self._depth - 1 + len(write)
        if depth > self._limits.stack_depth:
            raise LimitFault(f"the stack would be {depth:,} deep, the limit is {self._limits.stack_depth:,}")
        if len(write) > self._limits.windows_per_step:
            raise LimitFault(f"a step pushed {len(write)} windows, the limit is {self._limits.windows_per_step}")
        stack = self._stack[1]
        for text in write:
            stack = (text, stack)
        self._stack = stack
        self._depth = depth

    def skip(self, steps: int, depth: int, width: int) -> bool:
        assert self._stack is not None  # skip follows a fetch
        if self._depth - 1 + depth > self._limits.stack_depth or width > self._limits.windows_per_step:
            return False
        self._checks += steps - 1
        if self._checks >= self._next_anchor:
            # The anchor was renewed on the way, in a window that is gone; the next check, one window lower, renews it.
            while self._next_anchor <= self._checks:
                self._next_anchor *= 2
            self._anchor_depth = self._depth
        self._stack = self._stack[1]
        self._depth -= 1
        return True

    def repeats(self) -> bool:
        depth = self._depth
        self._checks += 1
        if depth < self._anchor_depth or self._checks >= self._next_anchor:
            if self._checks >= self._next_anchor:
                self._next_anchor = 2 * self._checks
            self._anchor_depth = depth
            self._anchor = self._stack[0] if self._stack else ""
            return False
        # Nothing below the anchor has changed, so the same top leads to the same steps again.
        return self._stack is not None and self._stack[0] == self._anchor

    def mark(self) -> StackMark:
        return self._stack, self._depth, (self._anchor, self._anchor_depth, self._checks, self._next_anchor)

    def rollback(self, mark: StackMark) -> None:
        self._stack, self._depth, seen = mark
        self._anchor, self._anchor_depth, self._checks, self._next_anchor = seen

    def windows(self) -> Sequence[str]:
        texts, stack = list[str](), self._stack
        while stack is not None:
            text, stack = stack
            texts.append(text)
        return tuple(reversed(texts))

    @property
    def pointer(self) -> int:
        return self._depth - 1
