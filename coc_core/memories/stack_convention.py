"""The convention of the pushdown stack."""

from collections.abc import Sequence
from typing import Any

from coc_core.arithmetic import Notation
from coc_core.domain import Domain
from coc_core.memories.convention import Convention, ParsedTarget
from coc_core.memories.layout import Layout
from coc_core.memories.target import Target
from coc_core.text import Surface
from coc_core.types import Limits, Registers, Step


class StackConvention(Convention[str, tuple[str, ...]]):
    """The convention of a pushdown stack: successors are pushed in reverse order, and there are no addresses."""

    name = "stack"
    layout = Layout(newest_first=True, waiting=lambda windows, _: range(len(windows)))
    _surface = Surface("INSTR {instruction}", "PUSH {instruction}")
    defaults = {"numeric": _surface, "symbolic": _surface}

    def __init__(self, domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()) -> None:
        super().__init__(domain, notation, limits)
        self.memoryless = True
        self.dialect = f"{domain.name}/{self.name}"  # without addresses both notations are the same

    def prompt(self, window: str) -> str:
        return self._instruction_prompt(window)

    def write(self, target: ParsedTarget, window: str, numbers: Sequence[int]) -> tuple[str, ...]:
        return target.windows

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        write = self.domain.instructions.format
        return Target(step.emits, tuple({"instruction": write(instruction)} for instruction in reversed(step.then)))
