"""Distinct prompt-target pairs, and which of them are held out."""

import random
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

from coc_core.domain import policy_steps
from coc_core.errors import UsageError
from coc_core.memories import Convention
from coc_core.models import Pair

ItemT = TypeVar("ItemT")

_DIGEST = 16  # bytes


class Seen:
    """A set of texts that stores only their digests: a million texts of any length take about 100 MB."""

    def __init__(self) -> None:
        self._digests: set[bytes] = set()

    def add(self, text: str) -> bool:
        """Add a text; returns whether it is new."""
        before = len(self._digests)
        self._digests.add(_digest(text))
        return len(self._digests) > before

    def __contains__(self, text: str) -> bool:
        return _digest(text) in self._digests


def closure(convention: Convention[Any, Any], problems: Iterable[Any], seen: Seen | None = None) -> Iterator[Pair]:
    """The distinct pairs of all runs of `problems`, for a memoryless convention.

    They are the closure of the problems' first instructions under the policy, so no run is needed to list them.

    Args:
        convention: A memoryless convention.
        problems: The problems.
        seen: Instructions whose pairs are left out; the instructions of the others are added.

    Raises:
        UsageError: If the convention's prompts depend on more than the instruction.
    """
    if not convention.memoryless:
        raise UsageError(
            f"the prompts of {convention.name!r} in {convention.notation} notation depend on more than the instruction",
            remedy="choose --memory pda, or symbolic arithmetic",
        )
    domain, known = convention.domain, Seen() if seen is None else seen

    def is_new(instruction: Any) -> bool:
        return known.add(domain.instructions.format(instruction))

    for problem in problems:
        for instruction, step in policy_steps(domain, problem, is_new):
            yield Pair(convention.instruction_prompt(instruction), convention.format(convention.compose(step, {})))


def check_fraction(fraction: float) -> None:
    """UsageError unless the fraction is from 0 to below 1."""
    if not 0 <= fraction < 1:
        raise UsageError(
            f"a hold-out of {fraction} leaves nothing to train on", remedy="give a fraction from 0 to below 1"
        )


def held_out_indices(count: int, fraction: float, seed: int) -> set[int]:
    """The indices of the held-out items: a fraction of `count`, rounded down, drawn uniformly by the seed."""
    check_fraction(fraction)
    return set(random.Random(f"hold-out {seed}").sample(range(count), int(fraction * count)))


def hold_out(items: Sequence[ItemT], fraction: float, seed: int) -> tuple[list[ItemT], list[ItemT]]:
    """Split items into (training, held out) by `held_out_indices`; both parts keep their order."""
    held = held_out_indices(len(items), fraction, seed)
    train = [item for index, item in enumerate(items) if index not in held]
    return train, [items[index] for index in sorted(held)]


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=_DIGEST).digest()
