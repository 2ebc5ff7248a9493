"""What a model can respond to a prompt of any convention: the policy's target, and the ways to be wrong."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from coc_check import hostile
from coc_core.memories import Convention
from coc_core.types import Step

Way = Callable[[random.Random, str, str, Convention[Any, Any]], str | None]
"""What takes the place of a right target, given that, its prompt and the convention; None for a NumericFault."""

NO_TARGET = "I can't say."
"""The response where the policy knows no target, because a wrong one led there."""


def right_target(convention: Convention[Any, Any], prompt: str) -> str:
    """Return the policy's target, or a text that is not one."""
    try:
        return convention.target_for(prompt)
    except Exception:  # whatever a policy raises about an instruction that it would never write
        return NO_TARGET


def left_undone(convention: Convention[Any, Any], prompt: str, times: int) -> str:
    """Return a target that does nothing and leaves the same instruction to be done that many times, or once.

    ValueError if `prompt` is not a prompt of this convention.
    """
    instruction, registers = convention.parse_prompt(prompt)
    try:
        return convention.format(convention.compose(Step(then=times * (instruction,)), registers))
    except TypeError:  # a step of this convention can't leave that many
        return convention.format(convention.compose(Step(then=(instruction,)), registers))


def _digit(rng: random.Random, right: str) -> str:
    """One digit is another, if there is one."""
    places = [place for place, letter in enumerate(right) if letter in "0123456789"]
    place = rng.choice(places or [len(right)])
    return f"{right[:place]}{(int(right[place]) + rng.randint(1, 9)) % 10}{right[place + 1 :]}" if places else right


WAYS: Mapping[str, Way] = {
    "digit": lambda rng, right, prompt, convention: _digit(rng, right),
    "undone": lambda rng, right, prompt, convention: left_undone(convention, prompt, rng.randint(1, 2)),
    "nothing": lambda rng, right, prompt, convention: left_undone(convention, prompt, 0),
    "shortened": lambda rng, right, prompt, convention: right.rpartition("\n")[0] or right.rpartition(" ")[0],
    "cut": lambda rng, right, prompt, convention: right[: rng.randrange(len(right))],
    "empty": lambda rng, right, prompt, convention: "",
    "mutated": lambda rng, right, prompt, convention: hostile.mutated(right, rng),
    "hostile": lambda rng, right, prompt, convention: rng.choice((*hostile.TEXTS, "x" * 601)),
    "numeric": lambda rng, right, prompt, convention: None,
}
"""The ways to be wrong.

    digit, cut, mutated  one digit is another; the end is missing; it is damaged in any way
    undone, nothing      nothing is done, and the same instruction comes again or twice, or nothing comes
    shortened            the last line or word is missing: often a wrong action, or a plan that ends early
    empty, hostile       there is no text, or one that no policy writes or that is too long
    numeric              the model's arithmetic breaks down
"""
