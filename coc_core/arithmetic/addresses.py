"""Sums as text: what a model that computes addresses reads and writes, and the pairs that it learns from.

A prompt shows the registers that an expression names, sorted, and then the expression; the target is the number:

    NEXT_ID=29998 NEXT_ID+2  ->  30000        prev=-1 prev  ->  -1        -1  ->  -1
"""

import re
from collections.abc import Iterable, Sequence

from coc_core.arithmetic.oracle import Symbolic
from coc_core.errors import ArithmeticFault
from coc_core.models import Model
from coc_core.text import parse_decimal, parse_number, quoted
from coc_core.types import Registers

ADDRESS_DIALECT = "arithmetic"
_NAME = re.compile(r"[A-Za-z_]+", re.ASCII)


def registers_of(expression: str) -> tuple[str, ...]:
    """The registers that an expression names, each once, sorted."""
    return tuple(sorted(set(_NAME.findall(expression))))


def address_prompt(expression: str, registers: Registers) -> str:
    """What a model reads for an expression; `registers` hold at least those that it names."""
    return " ".join([*(f"{name}={registers[name]}" for name in registers_of(expression)), expression])


def address_prompts(expression: str, register: str, values: Iterable[int]) -> list[str]:
    """The prompts of an expression that names one register, for many values of it."""
    return [f"{register}={value} {expression}" for value in values]


def read_number(answer: str, asked: str) -> int:
    """The number that a model answered to the prompt `asked`: plain decimal, with a minus sign if it is below zero.

    ArithmeticFault, with the answer, if it is anything else.
    """
    try:
        return -parse_decimal(answer[1:]) if answer.startswith("-") and answer != "-0" else parse_number(answer)
    except ValueError:
        raise ArithmeticFault(
            f"the arithmetic model answered {quoted(asked)} with what is no number", text=answer
        ) from None


class AddressReference(Model):
    """Answers the prompts of sums, always right: the reference model of this dialect."""

    name = "reference"

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [address_target(prompt) for prompt in prompts]


def address_target(asked: str) -> str:
    """The target of a prompt; ArithmeticFault if it has none."""
    *shown_registers, expression = asked.split(" ")
    registers = {}
    for item in shown_registers:
        name, _, value = item.partition("=")
        registers[name] = read_number(value, asked)
    (number,) = Symbolic().resolve([expression], registers)
    return str(number)
