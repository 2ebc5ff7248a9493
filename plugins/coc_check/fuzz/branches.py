"""Which branches of an executor's own code are taken, for a search by coverage and for what it reports."""

import dis
import inspect
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

from coc_core.execution import Executor

Branch = tuple[CodeType, int, bool]
"""The code, the offset of a conditional jump in it, and whether execution falls through."""


class Branches:
    """The branches of an executor's methods, and of the functions of its module that they call.

    While it is entered, the branches that are taken are noted, and code that comes to no end is stopped; but where a
    debugger or a measurement of coverage traces what is executed, neither is done.
    """

    def __init__(self, executor: Executor) -> None:
        self._jumps = {code: _jumps(code) for code in _codes(type(executor))}
        self.left = 0
        """How many instructions of this code may still be executed."""

        self.every: set[Branch] = {
            (code, offset, falls)
            for code, jumps in self._jumps.items()
            for offset, _ in jumps.values()
            for falls in (False, True)
        }
        self.taken = set[Branch]()
        self.latest = set[Branch]()
        """Those that were taken since this was cleared."""

    def __enter__(self) -> None:
        if sys.gettrace() is None:
            sys.settrace(self.enter_frame)

    def __exit__(self, *_: object) -> None:
        if sys.gettrace() == self.enter_frame:
            sys.settrace(None)
        self.taken |= self.latest

    @property
    def missing(self) -> list[str]:
        """Where a branch was never taken, as `file.py:LINE`, in order."""
        left = {(Path(code.co_filename).name, _lines(code)[offset]) for code, offset, _ in self.every - self.taken}
        return [f"{name}:{line}" for name, line in sorted(left)]

    def enter_frame(self, frame: FrameType, _event: str, _arg: object) -> Any:
        """The tracer of a new frame; None for one that is not the executor's."""
        code = frame.f_code
        jumps = self._jumps.get(code)
        if jumps is None:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        last = -1

        def follow(frame: FrameType, event: str, _arg: object) -> Any:
            nonlocal last
            if event == "opcode":
                self.left -= 1
                if self.left < 0:
                    raise RuntimeError("the executor comes to no end")
                offset, following = jumps.get(last, (frame.f_lasti, -1))
                if offset != frame.f_lasti:
                    self.latest.add((code, offset, frame.f_lasti == following))
                last = frame.f_lasti
            return follow

        return follow


def _jumps(code: CodeType) -> dict[int, tuple[int, int]]:
    """Each conditional jump, and where execution goes on if it does not jump, by the offsets at which it may be seen.

    These are its own and that of the EXTENDED_ARG before it, which are executed together.
    """
    jumps, begin, before = dict[int, tuple[int, int]](), -1, ""
    found = list(dis.get_instructions(code))
    for each, following in pairwise(found):
        conditional = each.opname == "FOR_ITER" or ("JUMP" in each.opname and "_IF_" in each.opname)
        if conditional and before != "WITH_EXCEPT_START":  # whether a context manager swallows an exception
            jumps[each.offset] = each.offset, following.offset
            if begin >= 0:
                jumps[begin] = jumps[each.offset]
        if each.opname != "EXTENDED_ARG":
            begin, before = -1, each.opname
        elif begin < 0:
            begin = each.offset
    return jumps


def _lines(code: CodeType) -> dict[int, int]:
    return {each.offset: each.positions.lineno or 0 for each in dis.get_instructions(code) if each.positions}


def _codes(kind: type) -> Iterator[CodeType]:
    """The code of a class, its bases below `Executor`, and the functions of their modules that they name."""
    seen = set[CodeType]()
    for each in kind.__mro__:
        if issubclass(each, Executor) and each is not Executor:
            module = vars(sys.modules[each.__module__]) if each.__module__ in sys.modules else {}
            waiting = [code for member in vars(each).values() for code in _code_of(member)]
            while waiting:
                code = waiting.pop()
                if code not in seen:
                    seen.add(code)
                    yield code
                    waiting += [const for const in code.co_consts if isinstance(const, CodeType)]
                    named = (module.get(name) for name in code.co_names)
                    waiting += [
                        part for each in named for part in _code_of(each) if part.co_filename == code.co_filename
                    ]


def _code_of(member: object) -> Iterator[CodeType]:
    """The code of a function, a property, a static method or a class method; none of anything else."""
    function = member.fget if isinstance(member, property) else inspect.unwrap(getattr(member, "__func__", member))  # type: ignore[arg-type]
    if isinstance(function, FunctionType):
        yield function.__code__
