"""Sets of texts, and which pairs are held out."""

import random
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, TypeVar

from coc_core.errors import UsageError
from coc_core.memories import Convention
from coc_problems import has_few_kinds
from coc_programs import Program

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


def why_growing(convention: Convention[Any, Any]) -> str:
    """Why the prompts of a program grow with its problems, in words; empty if they don't, or it is not a program."""
    domain = convention.domain
    if not isinstance(domain, Program) or has_few_kinds(convention):
        return ""
    if domain.compiled.growing:
        return f"numbers without a limit: {', '.join(domain.compiled.growing)}"
    return f"{convention.notation} notation shows the numbers of records"


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


def is_held_out(step: str, fraction: float, seed: int) -> bool:
    """Whether a step is held out. It depends on nothing else, so it is the same in every dialect and every dataset."""
    digest = blake2b(f"hold-out {seed} {step}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") < fraction * 2**64


def hold_out(items: Sequence[ItemT], fraction: float, seed: int) -> tuple[list[ItemT], list[ItemT]]:
    """Split items into (training, held out) by `held_out_indices`; both parts keep their order."""
    held = held_out_indices(len(items), fraction, seed)
    train = [item for index, item in enumerate(items) if index not in held]
    return train, [items[index] for index in sorted(held)]


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=_DIGEST).digest()
