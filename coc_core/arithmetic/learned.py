"""Arithmetic by a model: a second, small one works out the expressions that the planning model wrote.

The number that is used is always what the model answers. To be fast over millions of steps it is asked about a whole
block of a register's values at once, with the exact sums as drafts, which a model may check and never trusts. Of a
block only the answers that differ from the exact sum are kept, so what is remembered stays small.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from math import gcd

from attrs import Factory, define

from coc_core.arithmetic.addresses import address_prompt, address_prompts, read_number, registers_of
from coc_core.arithmetic.oracle import ArithmeticOracle, Inexact, Symbolic
from coc_core.errors import StepFault
from coc_core.models import Model, Response, ResponseCache, call_each
from coc_core.text import quoted
from coc_core.types import Registers

SMALLEST, LARGEST = 64, 4096  # values of a block
_MOST_REMEMBERED = 1 << 10  # expressions
_ROOM = 1 << 19  # bytes for responses to single expressions
_MOST_DIFFERING = 1 << 18  # answers that are remembered because they differ
_MOST_MISTAKES = 10  # that are listed


@define
class _Line:
    """An expression over one register, `slope * value + offset`, and what is known of the model's answers to it.

    So far only values came that are a multiple of `step` away from `anchor`, so of a block only those are asked about:
    on the tape of a domain that writes three windows a step it is every third.
    """

    expression: str
    register: str
    slope: int
    offset: int
    anchor: int
    step: int = 0
    checked: set[int] = Factory(set)  # where blocks start
    differing: dict[int, Response] = Factory(dict)


class Learned(ArithmeticOracle):
    """Asks a model that speaks the dialect of `coc_core.arithmetic.addresses`.

    A number that it gets wrong is used as it is. A fault that comes of it, or of an answer that is no number, names the
    expression and the registers and says that it is the arithmetic model's.
    """

    name = "learned"
    notation = "symbolic"

    def __init__(self, model: Model) -> None:
        self.model = model
        self.mistakes: list[str] = []
        self._exact = Symbolic()
        self._lines: dict[str, _Line] = {}
        self._alone: ResponseCache[Response] = ResponseCache(_ROOM)
        self._differing = 0

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        lines, numbers, mistake = self._lines, list[int](), ""
        for expression in expressions:
            line = lines.get(expression)
            if line is None or line.register not in registers:
                line = self._line(expression, registers)
                if line is None:
                    number, wrong = self._single(expression, registers)
                    numbers.append(number)
                    mistake = wrong or mistake
                    continue
            value = registers[line.register]
            away = value - line.anchor
            if away % line.step if line.step else away:
                self._widen(line, away)
            start = value & -LARGEST if value >= LARGEST else block_start(value)
            if start not in line.checked:
                self._check(line, start, start + block_size(value))
            number = line.slope * value + line.offset
            if line.differing and value in line.differing:
                number, mistake = self._inexact(line.differing[value], address_prompt(expression, registers), number)
            numbers.append(number)
        return Inexact.of(numbers, mistake) if mistake else tuple(numbers)

    def _line(self, expression: str, registers: Registers) -> _Line | None:
        """The line of an expression that has none yet; None if blocks can't be asked about it.

        ArithmeticFault if it is no sum of these registers.
        """
        self._exact.resolve([expression], registers)
        names = registers_of(expression)
        if len(names) != 1 or not self.model.deterministic:
            return None
        offset, at_one = (self._exact.resolve([expression], {names[0]: value})[0] for value in (0, 1))
        if len(self._lines) >= _MOST_REMEMBERED:
            self._lines.clear()
            self._differing = 0
        line = self._lines[expression] = _Line(expression, names[0], at_one - offset, offset, registers[names[0]])
        return line

    def _single(self, expression: str, registers: Registers) -> tuple[int, str]:
        """The number of an expression that has a call of its own, and what is wrong with it."""
        (exact,) = self._exact.resolve([expression], registers)
        prompt = address_prompt(expression, registers)
        response = self._alone.get(prompt)
        if response is None:
            (response,) = call_each(self.model, [prompt], [str(exact)], _unguarded)
            if self.model.deterministic:
                self._alone.keep(prompt, response)
        return (exact, "") if response == str(exact) else self._inexact(response, prompt, exact)

    def _widen(self, line: _Line, away: int) -> None:
        """From now on ask about values so far away from the anchor, too. What was asked before is asked again."""
        line.step = gcd(line.step, away)
        self._differing -= len(line.differing)
        line.checked.clear()
        line.differing.clear()

    def _check(self, line: _Line, start: int, end: int) -> None:
        """Ask about the block of values from `start` to below `end`."""
        values = range(line.anchor, line.anchor + 1)
        if line.step:
            values = range(start + (line.anchor - start) % line.step, end, line.step)
        exact = [str(line.slope * value + line.offset) for value in values]
        found = call_each(self.model, address_prompts(line.expression, line.register, values), exact, _unguarded)
        differing = {v: got for v, got, right in zip(values, found, exact, strict=True) if got != right}
        if self._differing + len(differing) > _MOST_DIFFERING:
            for other in self._lines.values():
                other.checked.clear()
                other.differing.clear()
            self._differing = 0
        line.checked.add(start)
        line.differing |= differing
        self._differing += len(differing)

    def _inexact(self, response: Response, prompt: str, exact: int) -> tuple[int, str]:
        """The number that a response writes, which need not be the exact one, and what is wrong with it."""
        if isinstance(response, StepFault):
            message = f"the arithmetic model gave no response to {quoted(prompt)}: {response.message}"
            raise type(response)(message, text=response.text or prompt)
        number = read_number(response, prompt)
        mistake = f"the arithmetic model answered {quoted(prompt)} with {number}, not {exact}"
        if len(self.mistakes) < _MOST_MISTAKES and mistake not in self.mistakes:
            self.mistakes.append(mistake)
        return number, mistake


def _unguarded(_: int) -> AbstractContextManager[None]:
    """The machine names the arithmetic in what its model raises by mistake."""
    return nullcontext()


def block_size(value: int) -> int:
    """How many values are asked about together with this one: more where values are larger, as runs are longer."""
    if value < 0:
        return 1
    return min(max(1 << value.bit_length() >> 1, SMALLEST), LARGEST)


def block_start(value: int) -> int:
    """The first value of the block that this one lies in. It tells the block from all others."""
    return value & -block_size(value)
