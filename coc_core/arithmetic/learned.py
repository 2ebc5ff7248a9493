"""Arithmetic by a model: a second, small one works out the expressions that the planning model wrote.

The number that is used is always what the model answers. To be fast over millions of steps it is asked about a whole
block of a register's values at once, with the exact sums as drafts, which a model may check and never trusts. Of a
block only the answers that differ from the exact sum are kept, so what is remembered stays small.
"""

from collections.abc import Sequence
from math import gcd

from attrs import Factory, define

from coc_core.arithmetic.addresses import address_prompt, address_prompts, read_number, registers_of
from coc_core.arithmetic.oracle import ArithmeticOracle, Symbolic
from coc_core.errors import StepFault
from coc_core.models import Model, Response, call_each
from coc_core.text import shown
from coc_core.types import Registers

SMALLEST, LARGEST = 64, 4096  # values of a block
_MOST_REMEMBERED = 1 << 10  # expressions, and prompts that were asked alone
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
        self._alone: dict[str, Response] = {}
        self._differing = 0

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        self.mistake = ""
        lines, numbers = self._lines, list[int]()
        for expression in expressions:
            line = lines.get(expression)
            if line is None or line.register not in registers:
                line = self._line(expression, registers)
                if line is None:
                    numbers.append(self._ask(expression, registers))
                    continue
            value = registers[line.register]
            away = value - line.anchor
            if away % line.step if line.step else away:
                self._widen(line, away)
            start = value & -LARGEST if value >= LARGEST else block_start(value)
            if start not in line.checked:
                self._check(line, start, start + block_size(value))
            exact = line.slope * value + line.offset
            if line.differing and value in line.differing:
                exact = self._number(line.differing[value], address_prompt(expression, registers), exact)
            numbers.append(exact)
        return tuple(numbers)

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

    def _ask(self, expression: str, registers: Registers) -> int:
        """The number of an expression that is asked about by itself."""
        (exact,) = self._exact.resolve([expression], registers)
        asked = address_prompt(expression, registers)
        if asked not in self._alone or not self.model.deterministic:
            if len(self._alone) >= _MOST_REMEMBERED:
                self._alone.clear()
            (self._alone[asked],) = call_each(self.model, [asked], [str(exact)])
        return self._number(self._alone[asked], asked, exact)

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
        found = call_each(self.model, address_prompts(line.expression, line.register, values), exact)
        differing = {v: got for v, got, right in zip(values, found, exact, strict=True) if got != right}
        if self._differing + len(differing) > _MOST_DIFFERING:
            for other in self._lines.values():
                other.checked.clear()
                other.differing.clear()
            self._differing = 0
        line.checked.add(start)
        line.differing |= differing
        self._differing += len(differing)

    def _number(self, answer: Response, asked: str, exact: int) -> int:
        """The number that an answer writes; what is wrong with it is noted."""
        if isinstance(answer, StepFault):
            message = f"the arithmetic model gave no answer to {shown(asked)}: {answer.message}"
            raise type(answer)(message, text=answer.text or asked)
        number = read_number(answer, asked)
        if number != exact:
            self.mistake = f"the arithmetic model answered {shown(asked)} with {number}, not {exact}"
            if len(self.mistakes) < _MOST_MISTAKES and self.mistake not in self.mistakes:
                self.mistakes.append(self.mistake)
        return number


def block_size(value: int) -> int:
    """How many values are asked about together with this one: more where values are larger, as runs are longer."""
    if value < 0:
        return 1
    return min(max(1 << value.bit_length() >> 1, SMALLEST), LARGEST)


def block_start(value: int) -> int:
    """The first value of the block that this one lies in. It tells the block from all others."""
    return value & -block_size(value)
