"""Learned arithmetic: a second, small model resolves the expressions that the planning model wrote. The number that is
used is always the one that it wrote. It is called for a whole block of values of a register at once, with the exact
values as drafts to check, and only responses that differ from these are stored.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from math import gcd

from attrs import Factory, define

from coc_core.arithmetic import MOST_MISTAKES, ArithmeticOracle, Inexact, Symbolic
from coc_core.errors import StepFault
from coc_core.models import Model, Response, ResponseCache, call_each
from coc_core.text import quoted
from coc_core.types import Registers
from coc_learn.addresses.dialect import address_prompt, address_prompts, read_number, registers_of

MIN_BLOCK, MAX_BLOCK = 64, 4096  # values
_MAX_EXPRESSIONS = 1 << 10
_CACHE_BYTES = 1 << 19  # for responses to single expressions


@define
class _LinearExpression:
    """An expression over one register, `slope * value + offset`, and what is known of the model's responses to it. All
    values so far differ from `anchor` by a multiple of `step`, so the model is called only for such values of a block:
    for a third of all on the tape of a domain that writes three windows a step.
    """

    expression: str
    register: str
    slope: int
    offset: int
    anchor: int
    step: int = 0
    blocks: dict[int, dict[int, Response]] = Factory(dict)  # by their first values: the responses that are not exact


class Learned(ArithmeticOracle):
    """Calls a model that speaks the dialect of `coc_learn.addresses.dialect`; `mistakes` has the first few, one line
    each. If a wrong number, or a response that is none, leads to a fault, the message attributes it to this model.
    """

    name = "learned"
    notation = "symbolic"

    def __init__(self, model: Model) -> None:
        self.model = model
        self.mistakes: list[str] = []
        self._exact = Symbolic()
        self._linear: dict[str, _LinearExpression] = {}
        self._single_responses: ResponseCache[Response] = ResponseCache(_CACHE_BYTES)

    def _resolve(self, expressions: Sequence[str], registers: Registers) -> tuple[int, ...]:
        linear, numbers, mistake = self._linear, list[int](), ""
        for expression in expressions:
            line = linear.get(expression)
            if line is None or line.register not in registers:
                line = self._analyse(expression, registers)
                if line is None:
                    number, wrong = self._single(expression, registers)
                    numbers.append(number)
                    mistake = wrong or mistake
                    continue
            value = registers[line.register]
            distance = value - line.anchor
            if distance % line.step if line.step else distance:
                line.step = gcd(line.step, distance)
                line.blocks.clear()  # the model is called for all of them again
            start = value & -MAX_BLOCK if value >= MAX_BLOCK else block_start(value)
            differing = line.blocks.get(start)
            if differing is None:
                differing = self._check(line, start, start + block_size(value))
            number = line.slope * value + line.offset
            if value in differing:
                number, mistake = self._inexact(differing[value], address_prompt(expression, registers), number)
            numbers.append(number)
        return Inexact.of(numbers, mistake) if mistake else tuple(numbers)

    def _analyse(self, expression: str, registers: Registers) -> _LinearExpression | None:
        """Analyse a new expression; None if the model can't be called for blocks, ArithmeticFault if it is no sum."""
        self._exact.resolve([expression], registers)
        names = registers_of(expression)
        if len(names) != 1 or not self.model.deterministic:
            return None
        offset, at_one = (self._exact.resolve([expression], {names[0]: value})[0] for value in (0, 1))
        if len(self._linear) >= _MAX_EXPRESSIONS:
            self._linear.clear()
        line = _LinearExpression(expression, names[0], at_one - offset, offset, registers[names[0]])
        self._linear[expression] = line
        return line

    def _single(self, expression: str, registers: Registers) -> tuple[int, str]:
        """Return the value of an expression that has a call of its own, and what is wrong with it."""
        (exact,) = self._exact.resolve([expression], registers)
        prompt = address_prompt(expression, registers)
        response = self._single_responses.get(prompt)
        if response is None:
            (response,) = call_each(self.model, [prompt], [str(exact)], _unguarded)
            if self.model.deterministic:
                self._single_responses.add(prompt, response)
        return (exact, "") if response == str(exact) else self._inexact(response, prompt, exact)

    def _check(self, line: _LinearExpression, start: int, end: int) -> dict[int, Response]:
        """Call the model for the block of values from `start` to below `end`; gives the responses that differ."""
        values = range(line.anchor, line.anchor + 1)
        if line.step:
            values = range(start + (line.anchor - start) % line.step, end, line.step)
        exact = [str(line.slope * value + line.offset) for value in values]
        found = call_each(self.model, address_prompts(line.expression, line.register, values), exact, _unguarded)
        differing = {v: got for v, got, right in zip(values, found, exact, strict=True) if got != right}
        line.blocks[start] = differing
        return differing

    def _inexact(self, response: Response, prompt: str, exact: int) -> tuple[int, str]:
        """Return the number in a response, and what is wrong with it."""
        if isinstance(response, StepFault):
            message = f"the arithmetic model did not respond to {quoted(prompt)}: {response.message}"
            raise type(response)(message, text=response.text or prompt)
        number = read_number(response, prompt)
        mistake = f"the arithmetic model wrote {number} for {quoted(prompt)}, not {exact}"
        if len(self.mistakes) < MOST_MISTAKES and mistake not in self.mistakes:
            self.mistakes.append(mistake)
        return number, mistake


def _unguarded(_: int) -> AbstractContextManager[None]:
    """Return no context of its own: the machine attributes the model's exceptions to the arithmetic."""
    return nullcontext()


def block_size(value: int) -> int:
    """Return the size of the block of a value. Blocks grow with the values, since larger values mean longer runs."""
    if value < 0:
        return 1
    return min(max(1 << value.bit_length() >> 1, MIN_BLOCK), MAX_BLOCK)


def block_start(value: int) -> int:
    """Return the first value of the block that contains a value, which identifies the block."""
    return value & -block_size(value)
