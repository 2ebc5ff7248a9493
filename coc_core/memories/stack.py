"""The pushdown stack."""

from collections.abc import Sequence

from coc_core.errors import LimitFault
from coc_core.memories.pushdown import Pushdown, Returned, with_returned

Stack = tuple[tuple[int, str], "Stack"] | None
"""The window on top after its index, and the stack below it."""


class PDAStack(Pushdown[Stack, str]):
    """The paper's pushdown stack: a step pops the top, then pushes in the order written. It halts when it is empty."""

    name = "pda"

    def start(self, first: str) -> Stack:
        return (0, first), None

    def read(self, contents: Stack) -> tuple[int, str] | None:
        return None if contents is None else contents[0]

    def write(self, contents: Stack, write: tuple[str, ...]) -> Stack:
        assert contents is not None
        (index, _), stack = contents
        if not write:
            return stack
        if type(write[0]) is Returned:
            return stack and ((stack[0][0], with_returned(stack[0][1], write[0])), stack[1])
        if (depth := index + len(write)) > self.limits.stack_depth:
            raise LimitFault(f"the stack would be {depth:,} deep, the limit is {self.limits.stack_depth:,}")
        if len(write) > self.limits.windows_per_step:
            raise LimitFault(f"a step pushed {len(write)} windows, the limit is {self.limits.windows_per_step}")
        for window in enumerate(write, index):
            stack = window, stack
        return stack

    def windows(self, contents: Stack) -> Sequence[str]:
        texts = list[str]()
        while contents is not None:
            (_, text), contents = contents
            texts.append(text)
        return tuple(reversed(texts))

    def key(self, contents: Stack) -> tuple[int, str]:
        assert contents is not None
        return contents[0]
