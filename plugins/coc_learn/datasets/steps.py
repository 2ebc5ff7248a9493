"""The step that a prompt asks for, by which pairs of different dialects, or with other names, can be compared."""

from collections.abc import Collection
from typing import Any

from coc_core.domain import StoresRecords
from coc_core.memories import Convention
from coc_core.text import number_names, rename
from coc_learn.step_key import StepKey


def step_key(convention: Convention[Any, Any], prompt: str) -> StepKey:
    """The step and the registers of a prompt.

    The step is the instruction with its interchangeable names numbered, so it is the same on every memory, in every
    notation, and under every permutation of names. Where a prompt grows with each step, all of it counts. A text that
    is not a prompt of the convention is a step of its own.
    """
    domain = convention.domain
    try:
        found = {"instruction": prompt} if convention.growing_prompts else convention.match_prompt(prompt)
    except ValueError:
        found = None
    if found is None:
        return StepKey(prompt)
    instruction, letters = found.pop("instruction"), domain.interchangeable_names
    if isinstance(domain, StoresRecords):  # its policy does not even see which of its names are the same
        step = number_names(instruction, letters)[0]
    else:
        step = align_names(instruction, letters)
    return StepKey(f"{domain.name} {step}", " ".join(f"{name}={text}" for name, text in found.items()))


def align_names(text: str, letters: Collection[str]) -> str:
    """The text with its names numbered in order, equal ones alike: the same for all texts that differ in names only."""
    numbers = dict[str, str]()
    for name in number_names(text, letters)[1].values():
        numbers.setdefault(name, f"{name.rstrip('0123456789')}{len(numbers) + 1}")
    return rename(text, numbers)
