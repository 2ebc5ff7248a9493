"""Arithmetic that asks a model, made repeatable: what it gave where it was not exact is recorded, and given again."""

from collections.abc import Sequence
from typing import Any

from coc_core.arithmetic import ArithmeticOracle, Inline, Symbolic
from coc_core.memories import Convention
from coc_core.types import Registers


class Witness(ArithmeticOracle):
    """Stands before an oracle and remembers the numbers of the last target if the oracle says they hold a mistake.

    While `replaying`, the oracle is not asked: the numbers are those `given`, or else the exact ones.
    """

    name = "recorded"
    notation = "symbolic"

    def __init__(self, convention: Convention[Any, Any], oracle: ArithmeticOracle | None = None) -> None:
        self.inexact: tuple[int, ...] | None = None
        self.given: tuple[int, ...] | None = None
        self.replaying = oracle is None
        self._oracle = oracle
        self._exact: ArithmeticOracle = Symbolic() if convention.notation == "symbolic" else Inline()

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        self.inexact = None
        if self._oracle is None or self.replaying:
            self.mistake = ""
            self.inexact = self.given
            return self._exact.resolve(expressions, registers) if self.given is None else self.given
        numbers = self._oracle.resolve(expressions, registers)
        self.mistake = self._oracle.mistake
        if self.mistake:
            self.inexact = numbers
        return numbers
