"""The arithmetic oracles: what number is `NEXT_ID+2`, given the registers?

The notation is what prompts and targets contain: `numeric` means numbers, which the planning model has computed itself;
`symbolic` means expressions over the registers, which the oracle resolves. An expression is a sum of registers and
numbers with exactly one spelling:

    NEXT_ID    NEXT_ID+2    NEXT_ID-PTR    prev+prev    -prev    PTR-1    -1    0

First the registers that are added, then those that are subtracted, each group in alphabetical order, and a number last,
unless it is 0. No register is in both groups, and the text does not begin with a plus sign.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import ClassVar, Literal, NamedTuple

from coc_core.errors import ArithmeticFault
from coc_core.text import parse_number, quoted
from coc_core.types import Registers

Notation = Literal["numeric", "symbolic"]

_TERM = re.compile(r"([+-]?)(?:([A-Za-z_]+)|(0|[1-9][0-9]{0,18}))", re.ASCII)
_OFFSET = re.compile("([A-Za-z_]+)([+-][1-9][0-9]{0,18})?", re.ASCII)
_MAX_LENGTH = 64  # characters of an expression
_MAX_NUMBER = 10**19 - 1  # the largest plain decimal; without a bound a register could grow from step to step


class Inexact(tuple[int, ...]):
    """Numbers of which the oracle knows that one is wrong.

    Attributes:
        mistake: One line that says which number is wrong, and what the right one is.
    """

    mistake: str

    @classmethod
    def of(cls, numbers: Iterable[int], mistake: str) -> "Inexact":
        """Make a tuple of these numbers, with a description of the mistake."""
        inexact = cls(numbers)
        inexact.mistake = mistake
        return inexact


MOST_MISTAKES = 10
"""Mistakes that are listed."""


class ArithmeticOracle(ABC):
    """Turns the expressions of one target into numbers.

    Example:
        >>> from coc_core.arithmetic import Symbolic
        >>> Symbolic().resolve(["NEXT_ID+2", "prev"], {"PTR": 4, "NEXT_ID": 7, "prev": -1})
        (9, -1)
        >>> Symbolic().resolve(["TOP+1"], {"PTR": 4, "NEXT_ID": 7})
        Traceback (most recent call last):
        coc_core.errors.ArithmeticFault: 'TOP' is not a register; there are NEXT_ID, PTR

        A subclass defines `_resolve`. The base class checks the lengths of expressions and of values:

        >>> Symbolic().resolve(["NEXT_ID+9999999999999999999"], {"NEXT_ID": 7})
        Traceback (most recent call last):
        coc_core.errors.ArithmeticFault: the value of 'NEXT_ID+9999999999999999999' has more than 19 digits
    """

    name: ClassVar[str]
    notation: ClassVar[Notation]

    mistakes: Sequence[str] = ()
    """The first few mistakes since the oracle was created, if it can detect its mistakes."""

    def resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        """Return the value of each expression, in order, as `Inexact` if the oracle knows that one is wrong.

        Args:
            expressions: Expressions over the registers, or plain numbers.
            registers: The value of each register.

        Raises:
            ArithmeticFault: An expression is malformed, is too long, or has a value of more than 19 digits.
        """
        for expression in expressions:
            if len(expression) > _MAX_LENGTH:
                raise ArithmeticFault(
                    f"an expression has {len(expression)} characters, the limit is {_MAX_LENGTH}", text=expression
                )
        numbers = self._resolve(expressions, registers)
        for number in numbers:
            if not -_MAX_NUMBER <= number <= _MAX_NUMBER:
                expression = expressions[numbers.index(number)]
                raise ArithmeticFault(f"the value of {quoted(expression)} has more than 19 digits", text=expression)
        return numbers

    @abstractmethod
    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]: ...


class Inline(ArithmeticOracle):
    """No oracle: the planning model writes the numbers itself (the paper's first setting)."""

    name = "inline"
    notation = "numeric"

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        return tuple(map(_number, expressions))


class Symbolic(ArithmeticOracle):
    """Evaluates sums of registers and numbers exactly, such as `NEXT_ID+2`, `prev` and `-1`."""

    name = "symbolic"
    notation = "symbolic"

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        try:
            return tuple([registers[register] + number for register, number in _offsets(tuple(expressions))])
        except KeyError:
            return tuple([_evaluate(text, registers) for text in expressions])


@lru_cache(maxsize=1 << 12)
def _number(text: str) -> int:
    try:
        return parse_number(text)
    except ValueError as error:
        raise ArithmeticFault(str(error), text=text) from None


@lru_cache(maxsize=64)
def _offsets(expressions: tuple[str, ...]) -> list[tuple[str, int]]:
    """Return the register that each expression names and what it adds to it; another sum names none that exists."""
    found = zip(expressions, map(_OFFSET.fullmatch, expressions), strict=True)
    return [(match[1], int(match[2] or 0)) if match else (text, 0) for text, match in found]


def _evaluate(text: str, registers: Registers) -> int:
    total = 0
    for sign, register, number in parse_expression(text):
        if register and register not in registers:
            raise ArithmeticFault(
                f"{quoted(register)} is not a register; there are {', '.join(sorted(registers))}", text=text
            )
        total += sign * (registers[register] if register else number)
    return total


class Term(NamedTuple):
    """A signed term of a sum: a register, or a number if `register` is empty."""

    sign: int
    register: str
    number: int


@lru_cache(maxsize=1 << 12)
def parse_expression(text: str) -> tuple[Term, ...]:
    """Return the terms of a sum without brackets, from left to right; ArithmeticFault for another text or spelling."""
    terms: list[Term] = []
    position = 0
    while position < len(text) or not terms:
        found = _TERM.match(text, position)
        if found is None or (terms and not found[1]):
            raise ArithmeticFault(f"{quoted(text)} is not a sum of registers and numbers", text=text, offset=position)
        terms.append(Term(-1 if found[1] == "-" else 1, found[2] or "", int(found[3] or 0)))
        position = found.end()
    usual = _format(terms)
    if text != usual:
        offset = next((i for i, letter in enumerate(text) if usual[i : i + 1] != letter), len(text))
        raise ArithmeticFault(f"{quoted(text)} must be written {quoted(usual)}", text=text, offset=offset)
    return tuple(terms)


def _format(terms: list[Term]) -> str:
    """Return the one spelling of a sum."""
    number = sum(term.sign * term.number for term in terms)
    counts: Counter[str] = Counter()
    for term in terms:
        if term.register:
            counts[term.register] += term.sign
    added = "".join(f"+{register}" * counts[register] for register in sorted(counts))
    subtracted = "".join(f"-{register}" * -counts[register] for register in sorted(counts))
    last = f"{number:+}" if number or not added + subtracted else ""
    return (added + subtracted + last).removeprefix("+")
