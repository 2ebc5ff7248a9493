"""A prompt and its target."""

from typing import NamedTuple


class Pair(NamedTuple):
    """What the model reads and what it is to write."""

    prompt: str
    target: str
