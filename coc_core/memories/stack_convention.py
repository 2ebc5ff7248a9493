"""The convention of the pushdown stack."""

from collections.abc import Sequence
from typing import Any

from coc_core.arithmetic import Notation
from coc_core.domain import Domain
from coc_core.errors import ProtocolFault
from coc_core.memories.convention import Convention, ParsedTarget
from coc_core.memories.layout import Layout
from coc_core.memories.pushdown import Returned
from coc_core.memories.target import Target
from coc_core.text import Surface
from coc_core.types import Limits, Registers, Step


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
        self.dialect = f"{domain.name}/{self.name}"  # without addresses both notations are the same

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
