"""A prompt and its target."""

from typing import NamedTuple


class Pair(NamedTuple):
    """What a model reads, and the target that it should write."""

    prompt: str
    target: str
