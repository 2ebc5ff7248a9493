"""Sums as text: what a model that computes addresses reads and writes, and the pairs that it learns from.

A prompt shows the registers that an expression names, sorted, and then the expression; the target is the number:

    NEXT_ID=29998 NEXT_ID+2  ->  30000        prev=-1 prev  ->  -1        -1  ->  -1
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence

from coc_core.arithmetic import Symbolic
from coc_core.data import Pair, hold_out
from coc_core.errors import ArithmeticFault
from coc_core.model import Model
from coc_core.text import parse_decimal, parse_number, shown
from coc_core.training import Lessons
from coc_core.types import Registers

DIALECT = "arithmetic"
LARGEST = 9_999_999
"""The largest value of a register that pairs are drawn for: 20 disks need 1,572,862 addresses, 22 disks 6,291,454."""

PAIRS = 100_000
MOST_PAIRS = 1_000_000
HOLDOUT = 0.05
_REGISTERS = ("NEXT_ID", "PTR", "prev")
_OFFSETS = range(4)
_SURE = 100  # values below are so few that all of them are learned
_LENGTHS = (3, len(str(LARGEST)))  # digits of the others, the fewest and the most
_LAST = 3  # a units digit of 10 - _LAST or more may bring a carry
_NAME = re.compile(r"[A-Za-z_]+", re.ASCII)


def names(expression: str) -> tuple[str, ...]:
    """The registers that an expression names, each once, sorted."""
    return tuple(sorted(set(_NAME.findall(expression))))


def prompt(expression: str, registers: Registers) -> str:
    """What a model reads for an expression; `registers` hold at least those that it names."""
    return " ".join([*(f"{name}={registers[name]}" for name in names(expression)), expression])


def prompts(expression: str, register: str, values: Iterable[int]) -> list[str]:
    """The prompts of an expression that names one register, for many values of it."""
    return [f"{register}={value} {expression}" for value in values]


def read(answer: str, asked: str) -> int:
    """The number that a model answered to the prompt `asked`: plain decimal, with a minus sign if it is below zero.

    ArithmeticFault, with the answer, if it is anything else.
    """
    try:
        return -parse_decimal(answer[1:]) if answer.startswith("-") and answer != "-0" else parse_number(answer)
    except ValueError:
        raise ArithmeticFault(
            f"the arithmetic model answered {shown(asked)} with what is no number", text=answer
        ) from None


class Teacher(Model):
    """Answers the prompts of sums, always right: the reference model of this dialect."""

    name = "reference"

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [_answer(prompt) for prompt in prompts]


def pairs(seed: int, count: int) -> Iterator[Pair]:
    """`count` distinct pairs: all small values of the registers first, then larger ones drawn by the seed.

    Among the larger ones all numbers of digits are drawn equally often. Half of the values end just below a carry,
    over one digit, two, and so on equally often. ValueError if `count` is too large to find so many.
    """
    if count > MOST_PAIRS:
        raise ValueError(f"{count:,} pairs are more than {MOST_PAIRS:,}")
    sure, expressions = _sure(), _expressions()
    yield from sure[:count]
    rng, seen = random.Random(f"sums {seed}"), set[str]()
    while len(seen) < count - len(sure):
        register, expression = rng.choice(expressions)
        asked = prompt(expression, {register: _value(rng)})
        if asked not in seen:
            seen.add(asked)
            yield Pair(asked, _answer(asked))


def lessons(seed: int, count: int = PAIRS, holdout: float = HOLDOUT) -> Lessons:
    """Pairs to learn, and a fraction of the larger ones held out. UsageError for a bad fraction."""
    drawn, sure = list(pairs(seed, count)), len(_sure())
    train, heldout = hold_out(drawn[sure:], holdout, seed)
    source = f"sums of addresses up to {LARGEST:,}, hold-out {100 * holdout:g}% of those from {_SURE}, seed {seed}"
    return Lessons(DIALECT, drawn[:sure] + train, heldout, source)


def _expressions() -> list[tuple[str, str]]:
    return [(name, f"{name}+{offset}" if offset else name) for name in _REGISTERS for offset in _OFFSETS]


def _sure() -> list[Pair]:
    asked = ["-1", "prev=-1 prev"]
    asked += [f"{name}={value} {expression}" for name, expression in _expressions() for value in range(_SURE)]
    return [Pair(prompt, _answer(prompt)) for prompt in asked]


def _value(rng: random.Random) -> int:
    length = rng.randint(*_LENGTHS)
    least: int = 10 ** (length - 1)
    value = rng.randint(least, 10 * least - 1)
    if rng.random() < 0.5:
        scale: int = 10 ** rng.randint(1, length)
        value += scale - value % scale - rng.randint(1, _LAST)
    return value


def _answer(asked: str) -> str:
    """The target of a prompt; ArithmeticFault if it has none."""
    *shown_registers, expression = asked.split(" ")
    registers = {}
    for item in shown_registers:
        name, _, value = item.partition("=")
        registers[name] = read(value, asked)
    (number,) = Symbolic().resolve([expression], registers)
    return str(number)
