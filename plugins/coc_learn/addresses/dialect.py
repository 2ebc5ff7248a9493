"""Address arithmetic as text: the prompts and targets of a model that computes addresses.

A prompt shows the registers that an expression names, sorted, and then the expression. The target is its value:

    NEXT_ID=29998 NEXT_ID+2  ->  30000        prev=-1 prev  ->  -1        -1  ->  -1
"""

import re
from collections.abc import Iterable, Sequence

from coc_core.arithmetic import Symbolic
from coc_core.errors import ArithmeticFault
from coc_core.models import Model, SizeResult
from coc_core.text import counted, format_sizes, parse_decimal, parse_number, quoted
from coc_core.types import Registers

ADDRESS_DIALECT = "arithmetic"
_NAME = re.compile(r"[A-Za-z_]+", re.ASCII)


def registers_of(expression: str) -> tuple[str, ...]:
    """Return the distinct registers that an expression names, sorted."""
    return tuple(sorted(set(_NAME.findall(expression))))


def results_of(dialect: str, results: Sequence[SizeResult]) -> str:
    """Return what tests of a dialect found, such as `n=21,30: all of 3,060 targets exact`."""
    of = "addresses of {} digits" if dialect == ADDRESS_DIALECT else "n={}"
    exact = [result for result in results if not result.wrong]
    failed = [result for result in results if result.wrong]
    parts = [f"{of.format(result.n)}: {result.wrong:,} of {result.pairs:,} targets wrong" for result in failed]
    if exact:
        total = sum(result.pairs for result in exact)
        parts.insert(0, f"{of.format(format_sizes(result.n for result in exact))}: all of {total:,} targets exact")
    problems = {result.problems for result in results}
    each = f" ({counted(problems.pop(), 'problem')} of each size)" if len(problems) == 1 else ""
    return "; ".join(parts) + each


def address_prompt(expression: str, registers: Registers) -> str:
    """Return the prompt for an expression, given the values of at least the registers that it names."""
    return " ".join([*(f"{name}={registers[name]}" for name in registers_of(expression)), expression])


def address_prompts(expression: str, register: str, values: Iterable[int]) -> list[str]:
    """Return the prompts for an expression that names one register, one for each value of the register."""
    return [f"{register}={value} {expression}" for value in values]


def read_number(response: str, prompt: str) -> int:
    """Parse the number that a model wrote for a prompt: plain decimal, a minus sign allowed; else ArithmeticFault."""
    try:
        if response.startswith("-") and response != "-0":
            return -parse_decimal(response[1:])
        return parse_number(response)
    except ValueError:
        raise ArithmeticFault(
            f"the arithmetic model's response to {quoted(prompt)} is not a number", text=response
        ) from None


def address_target(prompt: str) -> str:
    """Return the exact target of a prompt; ArithmeticFault for any other text."""
    *assignments, expression = prompt.split(" ")
    registers = {}
    for assignment in assignments:
        name, _, value = assignment.partition("=")
        registers[name] = read_number(value, prompt)
    if set(registers) != set(registers_of(expression)) or address_prompt(expression, registers) != prompt:
        raise ArithmeticFault(
            f"{quoted(prompt)} does not show the registers of its expression once each, sorted", text=prompt
        )
    (number,) = Symbolic().resolve([expression], registers)
    return str(number)


class AddressReference(Model):
    """The reference model of this dialect: its targets are always exact."""

    name = "reference"

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [address_target(prompt) for prompt in prompts]
