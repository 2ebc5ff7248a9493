"""A bounded cache of the values of a function of a text."""

from collections.abc import Callable
from typing import TypeVar

ValueT = TypeVar("ValueT")

_MAX_TEXTS = 1 << 14
_MAX_CHARACTERS = 1 << 22  # of all cached texts; a value can take ten times as many bytes as its text


class Memo(dict[str, ValueT]):
    """The values of a function by text, each computed once. When it is full, everything is dropped."""

    def __init__(self, function: Callable[[str], ValueT]) -> None:
        super().__init__()
        self._function = function
        self._characters = 0

    def __missing__(self, text: str) -> ValueT:
        self._characters += len(text)
        if len(self) >= _MAX_TEXTS or self._characters > _MAX_CHARACTERS:
            self.clear()
            self._characters = len(text)
        value = self[text] = self._function(text)
        return value
