"""The convention of the pushdown stack."""

from typing import Any

from coc_core.arithmetic import ArithmeticOracle, Notation
from coc_core.domain import Domain
from coc_core.memories.convention import Convention, Reply
from coc_core.memories.memo import Remembered
from coc_core.memories.target import Target
from coc_core.text import Surface
from coc_core.types import Limits, Registers, Step


class StackConvention(Convention[str, tuple[str, ...]]):
    """A pushdown stack: PUSH in reverse order of execution; no addresses, so no arithmetic."""

    name = "stack"
    _surface = Surface("INSTR {instruction}", "PUSH {instruction}")
    defaults = {"numeric": _surface, "symbolic": _surface}

    def __init__(self, domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()) -> None:
        super().__init__(domain, notation, limits)
        self.memoryless = True
        self.dialect = f"{domain.name}/{self.name}"  # no numbers, so the notation makes no difference
        self._prompts = Remembered(self._question)

    def _window(self, instruction: str) -> str:
        return instruction

    def prompt(self, window: str) -> str:
        return self._prompts[window]

    def resolve(self, reply: Reply, window: str, arithmetic: ArithmeticOracle) -> tuple[str, ...]:
        return reply.windows

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        write = self.domain.instructions.format
        return Target(step.emits, tuple({"instruction": write(instruction)} for instruction in reversed(step.then)))
