"""An end to an executor that comes to none: it may execute so many lines of its own code."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from coc_core.execution import Executor


@contextmanager
def line_budget(executor: Executor, lines: int) -> Iterator[None]:
    """Stop an executor with RuntimeError once so many lines of its module, and those of its bases, are executed.

    Where a debugger or a measurement of coverage traces what is executed, nothing is stopped.
    """
    own = {each.__module__ for each in type(executor).__mro__ if issubclass(each, Executor) and each is not Executor}
    left = lines

    def enter(frame: FrameType, _event: str, _arg: object) -> Any:
        return follow if frame.f_globals.get("__name__") in own else None

    def follow(_frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise RuntimeError("the executor comes to no end")
        return follow

    if sys.gettrace() is not None:
        yield
        return
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(None)
