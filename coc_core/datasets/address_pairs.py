"""The training set of address arithmetic."""

import random
from collections.abc import Iterator

from coc_core.arithmetic import ADDRESS_DIALECT, address_prompt, address_target
from coc_core.datasets.pairs import hold_out
from coc_core.models import Pair, TrainingSet

LARGEST_ADDRESS = 9_999_999
"""The largest value of a register that pairs are drawn for: 20 disks need 1,572,862 addresses, 22 disks 6,291,454."""

PAIRS = 100_000
MOST_PAIRS = 1_000_000
ADDRESS_HOLDOUT = 0.05
_REGISTERS = ("NEXT_ID", "PTR", "prev")
_OFFSETS = range(4)
_SURE = 100  # values below are so few that all of them are learned
_LENGTHS = (3, len(str(LARGEST_ADDRESS)))  # digits of the others, the fewest and the most
_LAST = 3  # a units digit of 10 - _LAST or more may bring a carry


def address_pairs(seed: int, count: int) -> Iterator[Pair]:
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
        asked = address_prompt(expression, {register: _value(rng)})
        if asked not in seen:
            seen.add(asked)
            yield Pair(asked, address_target(asked))


def address_training_set(seed: int, count: int = PAIRS, holdout: float = ADDRESS_HOLDOUT) -> TrainingSet:
    """Pairs to learn, and a fraction of the larger ones held out. UsageError for a bad fraction."""
    drawn, sure = list(address_pairs(seed, count)), len(_sure())
    train, heldout = hold_out(drawn[sure:], holdout, seed)
    part = f"{100 * holdout:g}% of the values from {_SURE}"
    source = f"address arithmetic up to {LARGEST_ADDRESS:,}, hold-out {part}, seed {seed}"
    return TrainingSet(ADDRESS_DIALECT, drawn[:sure] + train, heldout, source, range(LARGEST_ADDRESS + 1))


def _expressions() -> list[tuple[str, str]]:
    return [(name, f"{name}+{offset}" if offset else name) for name in _REGISTERS for offset in _OFFSETS]


def _sure() -> list[Pair]:
    asked = ["-1", "prev=-1 prev"]
    asked += [f"{name}={value} {expression}" for name, expression in _expressions() for value in range(_SURE)]
    return [Pair(prompt, address_target(prompt)) for prompt in asked]


def _value(rng: random.Random) -> int:
    length = rng.randint(*_LENGTHS)
    least: int = 10 ** (length - 1)
    value = rng.randint(least, 10 * least - 1)
    if rng.random() < 0.5:
        scale: int = 10 ** rng.randint(1, length)
        value += scale - value % scale - rng.randint(1, _LAST)
    return value
