"""What makes two prompts of different dialects the same step."""

from typing import NamedTuple


class StepKey(NamedTuple):
    """What a prompt asks for.

    Attributes:
        step: The same text in all dialects, and whatever names are in the prompt.
        registers: The values of the registers that the prompt shows, empty if it shows none.
    """

    step: str
    registers: str = ""
