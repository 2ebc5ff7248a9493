"""Arithmetic from a run file: the recorded results of an arithmetic model, without the model."""

from collections.abc import Sequence
from typing import Any

from coc_core.arithmetic import ArithmeticOracle, Inexact, Inline, Symbolic
from coc_core.memories import Convention
from coc_core.types import Registers


class RecordedArithmetic(ArithmeticOracle):
    """Returns the numbers recorded for the current step, or exact ones if none were recorded.

    Attributes:
        recorded: The recorded numbers, which a playback sets before each step.
    """

    name = "recorded"
    notation = "symbolic"

    def __init__(self, convention: Convention[Any, Any]) -> None:
        self.recorded: tuple[int, ...] | None = None
        self._exact: ArithmeticOracle = Symbolic() if convention.notation == "symbolic" else Inline()

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        if self.recorded is None:
            return self._exact.resolve(expressions, registers)
        return Inexact.of(self.recorded, "a recorded number is wrong")
