"""What can be said to a prompt for whatever convention: the policy's answer, and answers that get nothing done."""

from typing import Any

from coc_core.memories import Convention
from coc_core.types import Step

SPEECHLESS = "I can't say."
"""What is answered where the policy knows no answer, because a wrong one led there."""


def right_answer(convention: Convention[Any, Any], prompt: str) -> str:
    """The policy's answer, or a text that is none."""
    try:
        return convention.target_for(prompt)
    except Exception:  # whatever a policy raises about an instruction that it would never write
        return SPEECHLESS


def left_undone(convention: Convention[Any, Any], prompt: str, times: int) -> str:
    """A target that does nothing and leaves the same instruction to be done so many times.

    TypeError if a step of this convention can't leave so many, ValueError if `prompt` is none.
    """
    instruction, registers = convention.parse_prompt(prompt)
    return convention.format(convention.compose(Step(then=times * (instruction,)), registers))


def left_undone_or_once(convention: Convention[Any, Any], prompt: str, times: int) -> str:
    """The same; once, where a step can't leave so many."""
    try:
        return left_undone(convention, prompt, times)
    except TypeError:
        return left_undone(convention, prompt, 1)
