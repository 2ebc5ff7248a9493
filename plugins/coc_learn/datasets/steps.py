"""The step that a prompt asks for, by which pairs of different dialects, or with other names, can be compared."""

from typing import Any

from coc_core.domain import StoresRecords
from coc_core.memories import Convention
from coc_core.models import StepKey
from coc_core.text import align_names, number_names


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
