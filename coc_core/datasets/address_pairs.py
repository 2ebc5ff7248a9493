"""Prompt-target pairs of address arithmetic, for training a model that adds."""

import random
from collections.abc import Iterator

from coc_core.arithmetic import ADDRESS_DIALECT, address_prompt, address_target
from coc_core.datasets.pairs import hold_out
from coc_core.models import Pair, TrainingSet

LARGEST_ADDRESS = 9_999_999
"""The largest value of a register in the pairs: 20 disks need 1,572,862 addresses, 22 disks 6,291,454."""

PAIRS = 100_000
MOST_PAIRS = 1_000_000
ADDRESS_HOLDOUT = 0.05
_REGISTERS = ("NEXT_ID", "PTR", "prev")
_OFFSETS = range(4)
_SMALL = 100  # values below this are few, so all of them are in the training set
_LENGTHS = (3, len(str(LARGEST_ADDRESS)))  # the fewest and the most digits of larger values
_LAST = 3  # a last digit of 10 - _LAST or more can cause a carry


def address_pairs(seed: int, count: int) -> Iterator[Pair]:
    """Distinct pairs: first all small values of the registers, then larger ones drawn by the seed.

    Among the larger values, each number of digits is drawn equally often. Half of them are just below a carry, over one
    digit, two digits and so on, equally often.

    Raises:
        ValueError: If `count` is more than `MOST_PAIRS`.
    """
    if count > MOST_PAIRS:
        raise ValueError(f"{count:,} pairs are more than {MOST_PAIRS:,}")
    small, expressions = _small_pairs(), _expressions()
    yield from small[:count]
    rng = random.Random(f"sums {seed}")  # the text seeds the draw: another wording would draw other pairs
    seen = set[str]()
    while len(seen) < count - len(small):
        register, expression = rng.choice(expressions)
        prompt = address_prompt(expression, {register: _value(rng)})
        if prompt not in seen:
            seen.add(prompt)
            yield Pair(prompt, address_target(prompt))


def address_training_set(seed: int, count: int = PAIRS, holdout: float = ADDRESS_HOLDOUT) -> TrainingSet:
    """The training set of address arithmetic.

    Args:
        seed: Draws the pairs and the hold-out.
        count: How many pairs to draw.
        holdout: The fraction to hold out, of the pairs with larger values.

    Raises:
        UsageError: If the fraction is not from 0 to below 1.
    """
    drawn, small = list(address_pairs(seed, count)), len(_small_pairs())
    train, heldout = hold_out(drawn[small:], holdout, seed)
    part = f"{100 * holdout:g}% of the values from {_SMALL}"
    source = f"address arithmetic up to {LARGEST_ADDRESS:,}, hold-out {part}, seed {seed}"
    return TrainingSet(ADDRESS_DIALECT, drawn[:small] + train, heldout, source, range(LARGEST_ADDRESS + 1))


def _expressions() -> list[tuple[str, str]]:
    return [(name, f"{name}+{offset}" if offset else name) for name in _REGISTERS for offset in _OFFSETS]


def _small_pairs() -> list[Pair]:
    prompts = ["-1", "prev=-1 prev"]
    prompts += [f"{name}={value} {expression}" for name, expression in _expressions() for value in range(_SMALL)]
    return [Pair(prompt, address_target(prompt)) for prompt in prompts]


def _value(rng: random.Random) -> int:
    length = rng.randint(*_LENGTHS)
    least: int = 10 ** (length - 1)
    value = rng.randint(least, 10 * least - 1)
    if rng.random() < 0.5:
        scale: int = 10 ** rng.randint(1, length)
        value += scale - value % scale - rng.randint(1, _LAST)
    return value
