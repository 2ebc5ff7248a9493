"""Memories that finish what a window leads to before they come to an older one: the pushdown stack, its convention."""

from collections.abc import Sequence
from typing import Any

from coc_core.arithmetic import Notation
from coc_core.domain import Domain, with_result
from coc_core.errors import AddressFault, LimitFault, ProtocolFault
from coc_core.memories.convention import Convention, ParsedTarget
from coc_core.memories.layout import Layout
from coc_core.memories.memory import ContentsT, Memory, WindowT
from coc_core.memories.target import Target
from coc_core.text import Surface
from coc_core.types import Limits, Registers, Step

Stack = tuple[tuple[int, str], "Stack"] | None
"""The window on top after its index, and the stack below it."""


class Returned(str):
    """What a step writes if it has a result: the text of that, for the window that waits."""

    __slots__ = ()


def with_returned(window: str, result: str) -> str:
    """Return the text of a window that has got its result; AddressFault if it waits for none."""
    filled = with_result(window, result)
    if filled is None:
        raise AddressFault("a result is returned, and the window below does not wait for one", text=window)
    return filled


class Pushdown(Memory[ContentsT, WindowT, tuple[str, ...]]):
    """A memory without addresses whose next window is always the last one written; to write nothing removes it.

    So the steps from the one that reads a window to the one after which nothing that it led to is left depend on this
    window alone, and all of them together write nothing in its place. What they do, if known, can be skipped.
    """


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


class StackConvention(Convention[str, tuple[str, ...]]):
    """The convention of a pushdown stack: successors are pushed in reverse order, and there are no addresses."""

    name = "stack"
    offers = frozenset({"results"})
    layout = Layout(newest_first=True, waiting=lambda windows, _: range(len(windows)))
    _surface = Surface("INSTR {instruction}", "PUSH {instruction}")
    defaults = {"numeric": _surface, "symbolic": _surface}

    def __init__(self, domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()) -> None:
        super().__init__(domain, notation, limits)
        self.memoryless = not any(domain.results)
        self.dialect = self.dialect.removesuffix(f"/{notation}")  # without addresses both notations are the same

    def prompt(self, window: str) -> str:
        return self._instruction_prompt(window)

    def write(self, target: ParsedTarget, window: str, numbers: Sequence[int]) -> tuple[str, ...]:
        if target.result is None:
            return target.windows
        if target.windows:
            raise ProtocolFault("the target returns a result, and has more to run", text=target.text)
        return (Returned(target.result),)

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        write = self.domain.instructions.format
        writes = tuple({"instruction": write(instruction)} for instruction in reversed(step.then))
        return Target(step.emits, writes, result=step.result)
