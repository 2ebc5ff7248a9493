"""Address arithmetic as text: the prompts and targets of a model that computes addresses, and pairs to train it on.

A prompt shows the registers that an expression names, sorted, and then the expression. The target is its value:

    NEXT_ID=29998 NEXT_ID+2  ->  30000        prev=-1 prev  ->  -1        -1  ->  -1
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence

from coc_core.arithmetic import Symbolic
from coc_core.errors import ArithmeticFault, UsageError
from coc_core.models import Model, Pair, SizeResult
from coc_core.text import counted, format_sizes, parse_decimal, parse_number, quoted
from coc_core.types import Registers
from coc_learn.datasets import hold_out
from coc_learn.trainer import SizeTest, TrainingSet

ADDRESS_DIALECT = "arithmetic"
_NAME = re.compile(r"[A-Za-z_]+", re.ASCII)

LARGEST_ADDRESS = 10**18 - 1
"""The largest value of a register in the pairs, unless another is chosen. 20 disks need 1,572,862 addresses."""

LEAST_LARGEST_ADDRESS = 999
MOST_DIGITS = 19
"""Of an address; the machine has no larger ones."""

PAIRS = 100_000
"""The pairs that are drawn, or three for each address if that is fewer."""

ADDRESS_HOLDOUT = 0.05
_REGISTERS = ("NEXT_ID", "PTR", "prev")
_OFFSETS = range(4)
_SMALL = 100  # values below this are few, so all of them are in the training set
_FEWEST_DIGITS = 3  # of larger values
_LAST = 3  # a last digit of 10 - _LAST or more can cause a carry


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


def address_pairs(seed: int, count: int, largest: int = LARGEST_ADDRESS) -> Iterator[Pair]:
    """Yield distinct pairs: first all small values of the registers, then `count` larger ones drawn by the seed, up to
    `largest`, at least `LEAST_LARGEST_ADDRESS`. Each number of digits is drawn equally often, and half of these values
    are just below a carry, over one digit, two digits and so on, equally often.
    """
    small, expressions = _small_pairs(), _expressions()
    yield from small[:count]
    rng = random.Random(f"sums {seed}")  # the text seeds the draw: another wording would draw other pairs
    seen = set[str]()
    while len(seen) < count - len(small):
        register, expression = rng.choice(expressions)
        prompt = address_prompt(expression, {register: _value(rng, largest)})
        if prompt not in seen:
            seen.add(prompt)
            yield Pair(prompt, address_target(prompt))


def address_training_set(
    seed: int, count: int | None = None, holdout: float = ADDRESS_HOLDOUT, largest: int = LARGEST_ADDRESS
) -> TrainingSet:
    """Return the training set of address arithmetic. The seed draws the pairs, as many as `count` or else `PAIRS` or
    three for each address, up to `largest`, and the fraction of larger ones to hold out, which is below 1 or a
    UsageError.
    """
    count = min(PAIRS, 3 * largest) if count is None else count
    drawn, small = list(address_pairs(seed, count, largest)), len(_small_pairs())
    train, heldout = hold_out(drawn[small:], holdout, seed)
    part = f"{100 * holdout:g}% of the values from {_SMALL}"
    source = f"address arithmetic up to {largest:,}, hold-out {part}, seed {seed}"
    return TrainingSet(ADDRESS_DIALECT, drawn[:small] + train, heldout, source, range(largest + 1))


def drawn_addresses(values: range, count: int, seed: int) -> list[int]:
    """Draw `count` addresses of each number of digits in `values`, or all of them if there are no more; sorted.

    A third is drawn uniformly, a third just below a carry over one digit, two digits and so on, and a third has no more
    than two different digits, if `values` has enough of them.
    """
    rng, drawn = random.Random(f"addresses {seed}"), set[int]()
    for digits in range(len(str(values[0])), len(str(values[-1])) + 1):
        every = _of_length(digits)
        part = range(max(values.start, every.start), min(values.stop, every.stop))
        if part.stop - part.start <= count:
            drawn.update(part)
            continue
        few = set[int]()
        tries = 0
        while len(few) < count:
            kind = tries % 3 if tries < 10 * count else 0  # there may be too few of the other two kinds
            tries += 1
            value = rng.randint(part.start, part.stop - 1)
            if kind == 1:
                value = _below_carry(rng, value, digits)
            elif kind == 2:
                pair = rng.sample("0123456789", 2)
                value = int("".join(rng.choice(pair) for _ in range(digits)))
            if part.start <= value < part.stop:
                few.add(value)
        drawn |= few
    return sorted(drawn)


def address_tests(digits: Iterable[int], count: int, seed: int) -> Iterator[SizeTest]:
    """Yield tests of `count` addresses of each number of digits, with every expression; UsageError if none exist."""
    for number in digits:
        if not 1 <= number <= MOST_DIGITS:
            raise UsageError(f"no address has {number:,} digits", remedy=f"choose from 1 to {MOST_DIGITS}")
        every = _of_length(number)
        summable = every[: -_OFFSETS[-1]] if number == MOST_DIGITS else every  # sums have no more digits either
        values = drawn_addresses(summable, count, seed)
        prompts = _prompts(values)
        yield SizeTest(number, len(values), [Pair(prompt, address_target(prompt)) for prompt in prompts])


def _expressions() -> list[tuple[str, str]]:
    return [(name, f"{name}+{offset}" if offset else name) for name in _REGISTERS for offset in _OFFSETS]


def _prompts(values: Sequence[int]) -> list[str]:
    """Return the prompts of every expression with each of these values of its register."""
    return [prompt for name, expression in _expressions() for prompt in address_prompts(expression, name, values)]


def _of_length(digits: int) -> range:
    """Return all values of so many digits."""
    return range(10 ** (digits - 1) if digits > 1 else 0, 10**digits)


def _small_pairs() -> list[Pair]:
    prompts = ["-1", "prev=-1 prev", *_prompts(range(_SMALL))]
    return [Pair(prompt, address_target(prompt)) for prompt in prompts]


def _value(rng: random.Random, largest: int) -> int:
    while True:
        length = rng.randint(_FEWEST_DIGITS, len(str(largest)))
        least: int = 10 ** (length - 1)
        value = rng.randint(least, 10 * least - 1)
        if rng.random() < 0.5:
            value = _below_carry(rng, value, length)
        if value <= largest:
            return value


def _below_carry(rng: random.Random, value: int, digits: int) -> int:
    """Return the value moved to just below a carry over one digit or more, up to all of its `digits`."""
    scale: int = 10 ** rng.randint(1, digits)
    return value + scale - value % scale - rng.randint(1, _LAST)
