"""Prompt-target pairs, written by the reference model, and their hold-out."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from coc_core.convention import Convention
from coc_core.errors import UsageError


class Pair(NamedTuple):
    """What the model reads and what it is to write."""

    prompt: str
    target: str


def closure(convention: Convention[Any, Any], problems: Iterable[Any]) -> Iterator[Pair]:
    """The distinct pairs of all runs of `problems`, where a prompt depends on its instruction alone.

    They are the closure of the problems' first instructions under the policy; nothing is run to list them.
    """
    if not convention.memoryless:
        raise UsageError(
            f"the prompts of {convention.name!r} in {convention.notation} notation depend on more than the instruction",
            remedy="choose --memory pda, or symbolic arithmetic",
        )
    domain = convention.domain
    seen: set[str] = set()
    waiting = [domain.start(problem) for problem in problems][::-1]
    while waiting:
        instruction = waiting.pop()
        text = domain.instructions.format(instruction)
        if text in seen:
            continue
        seen.add(text)
        step = domain.expand(instruction)
        yield Pair(convention.question(instruction), convention.format(convention.compose(step, {})))
        waiting += reversed(step.then)


def hold_out(pairs: Sequence[Pair], fraction: float, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Split into (training, held out) pairs: `fraction` of them, rounded down, drawn uniformly by `seed`."""
    if not 0 <= fraction < 1:
        raise UsageError(
            f"a hold-out of {fraction} leaves nothing to train on", remedy="give a fraction from 0 to below 1"
        )
    held = set(random.Random(f"hold-out {seed}").sample(range(len(pairs)), int(fraction * len(pairs))))
    train = [pair for index, pair in enumerate(pairs) if index not in held]
    return train, [pairs[index] for index in sorted(held)]
