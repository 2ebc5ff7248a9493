"""Prompt-target pairs of address arithmetic, for training a model that adds."""

import random
from collections.abc import Iterable, Iterator, Sequence

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_learn.addresses.dialect import ADDRESS_DIALECT, address_prompt, address_prompts, address_target
from coc_learn.datasets import hold_out
from coc_learn.trainer import SizeTest, TrainingSet

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
