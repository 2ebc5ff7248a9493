"""Prompt-target pairs of address arithmetic, for training a model that adds."""

import random
from collections.abc import Iterator

from coc_core.arithmetic import ADDRESS_DIALECT, address_prompt, address_target
from coc_core.datasets.pairs import hold_out
from coc_core.models import Pair, TrainingSet

LARGEST_ADDRESS = 9_999_999
"""The largest value of a register, unless another is chosen: 20 disks need 1,572,862 addresses, 22 disks 6,291,454."""

LEAST_LARGEST_ADDRESS = 999
PAIRS = 100_000
"""The pairs that are drawn, or three for each address if that is fewer."""

MOST_PAIRS = 1_000_000
ADDRESS_HOLDOUT = 0.05
_REGISTERS = ("NEXT_ID", "PTR", "prev")
_OFFSETS = range(4)
_SMALL = 100  # values below this are few, so all of them are in the training set
_FEWEST_DIGITS = 3  # of larger values
_LAST = 3  # a last digit of 10 - _LAST or more can cause a carry


def address_pairs(seed: int, count: int, largest: int = LARGEST_ADDRESS) -> Iterator[Pair]:
    """Distinct pairs: first all small values of the registers, then larger ones drawn by the seed.

    Among the larger values, each number of digits is drawn equally often. Half of them are just below a carry, over one
    digit, two digits and so on, equally often.

    Args:
        seed: Draws the pairs.
        count: How many pairs to draw.
        largest: The largest value of a register; at least `LEAST_LARGEST_ADDRESS`.

    Raises:
        ValueError: If `count` is more than `MOST_PAIRS`, or more than half of the pairs that there are.
    """
    if count > MOST_PAIRS:
        raise ValueError(f"{count:,} pairs are more than {MOST_PAIRS:,}")
    if 2 * count > len(_REGISTERS) * len(_OFFSETS) * largest:
        raise ValueError(f"{count:,} pairs are too many for addresses up to {largest:,}")
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
    """The training set of address arithmetic.

    Args:
        seed: Draws the pairs and the hold-out.
        count: How many pairs to draw; `PAIRS`, or three for each address, if None.
        holdout: The fraction to hold out, of the pairs with larger values.
        largest: The largest value of a register.

    Raises:
        UsageError: If the fraction is not from 0 to below 1.
    """
    count = min(PAIRS, 3 * largest) if count is None else count
    drawn, small = list(address_pairs(seed, count, largest)), len(_small_pairs())
    train, heldout = hold_out(drawn[small:], holdout, seed)
    part = f"{100 * holdout:g}% of the values from {_SMALL}"
    source = f"address arithmetic up to {largest:,}, hold-out {part}, seed {seed}"
    return TrainingSet(ADDRESS_DIALECT, drawn[:small] + train, heldout, source, range(largest + 1))


def _expressions() -> list[tuple[str, str]]:
    return [(name, f"{name}+{offset}" if offset else name) for name in _REGISTERS for offset in _OFFSETS]


def _small_pairs() -> list[Pair]:
    prompts = ["-1", "prev=-1 prev"]
    prompts += [f"{name}={value} {expression}" for name, expression in _expressions() for value in range(_SMALL)]
    return [Pair(prompt, address_target(prompt)) for prompt in prompts]


def _value(rng: random.Random, largest: int) -> int:
    while True:
        length = rng.randint(_FEWEST_DIGITS, len(str(largest)))
        least: int = 10 ** (length - 1)
        value = rng.randint(least, 10 * least - 1)
        if rng.random() < 0.5:
            scale: int = 10 ** rng.randint(1, length)
            value += scale - value % scale - rng.randint(1, _LAST)
        if value <= largest:
            return value
