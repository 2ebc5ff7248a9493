"""The arithmetic oracles: what number is `NEXT_ID+2`, given the registers?

The notation says what stands in prompts and targets: `numeric` means numbers, so the planning model has done the
arithmetic; `symbolic` means expressions over the registers, left for the oracle to work out.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import ClassVar, Literal

from coc_core.errors import ArithmeticFault
from coc_core.text import parse_number, quoted
from coc_core.types import Registers

Notation = Literal["numeric", "symbolic"]

_LONGEST = 64  # characters of an expression
_LARGEST = 10**19 - 1  # what a plain decimal can write; without a bound a register could grow from step to step
_TERM = re.compile(r"([+-]?)(?:([A-Za-z_]+)|(0|[1-9][0-9]{0,18}))", re.ASCII)


class Inexact(tuple[int, ...]):
    """Numbers of which the oracle can tell that one is wrong. `mistake` says in one line which, and what is right."""

    mistake: str

    @classmethod
    def of(cls, numbers: Iterable[int], mistake: str) -> "Inexact":
        """These numbers, with what is wrong about them."""
        inexact = cls(numbers)
        inexact.mistake = mistake
        return inexact


class ArithmeticOracle(ABC):
    """Turns the expressions of one target into numbers."""

    name: ClassVar[str]
    notation: ClassVar[Notation]

    mistakes: Sequence[str] = ()
    """The first few mistakes that the oracle knows it has made since it was created."""

    def resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        """The number of each expression, in order, as `Inexact` if the oracle can tell that one is wrong.

        Raises:
            ArithmeticFault: An expression has no number, is too long, or has a number of more than 19 digits.
        """
        for expression in expressions:
            if len(expression) > _LONGEST:
                raise ArithmeticFault(f"an expression of {len(expression)} characters", text=expression)
        numbers = self._resolve(expressions, registers)
        for number in numbers:
            if not -_LARGEST <= number <= _LARGEST:
                expression = expressions[numbers.index(number)]
                raise ArithmeticFault(f"the value of {quoted(expression)} has more than 19 digits", text=expression)
        return numbers

    @abstractmethod
    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]: ...


class Inline(ArithmeticOracle):
    """No oracle: the model writes the numbers itself (the paper's first setting)."""

    name = "inline"
    notation = "numeric"

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        return tuple([_number(expression) for expression in expressions])


class Symbolic(ArithmeticOracle):
    """Exact evaluation of sums of registers and numbers, such as `NEXT_ID+2`, `prev` and `-1`."""

    name = "symbolic"
    notation = "symbolic"

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        return tuple([_evaluate(expression, registers) for expression in expressions])


def _number(text: str) -> int:
    try:
        return parse_number(text)
    except ValueError as error:
        raise ArithmeticFault(str(error), text=text) from None


def _evaluate(text: str, registers: Registers) -> int:
    total = 0
    for sign, name, number in _terms(text):
        if name and name not in registers:
            raise ArithmeticFault(
                f"{quoted(name)} is not a register; there are {', '.join(sorted(registers))}", text=text
            )
        total += sign * (registers[name] if name else number)
    return total


def _parse(text: str) -> tuple[tuple[int, str, int], ...]:
    """The terms of a sum as (sign, register or "", number), read from left to right; brackets are not known."""
    terms: list[tuple[int, str, int]] = []
    position = 0
    while position < len(text) or not terms:
        found = _TERM.match(text, position)
        if found is None or (terms and not found[1]):
            raise ArithmeticFault(f"{quoted(text)} is not a sum of registers and numbers", text=text, offset=position)
        terms.append((-1 if found[1] == "-" else 1, found[2] or "", int(found[3] or 0)))
        position = found.end()
    return tuple(terms)


_terms = lru_cache(maxsize=1 << 12)(_parse)
