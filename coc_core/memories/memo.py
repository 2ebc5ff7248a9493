"""What a function of a text gives, remembered while there is room."""

from collections.abc import Callable
from typing import TypeVar

ValueT = TypeVar("ValueT")

_REMEMBERED = 1 << 14  # texts
_ROOM = 1 << 22  # characters of them: what is remembered of a text can take ten times as many bytes


class Memo(dict[str, ValueT]):
    """What a function gives for a text, worked out once. Forgets everything when it is full."""

    def __init__(self, function: Callable[[str], ValueT]) -> None:
        super().__init__()
        self._function = function
        self._characters = 0

    def __missing__(self, text: str) -> ValueT:
        self._characters += len(text)
        if len(self) >= _REMEMBERED or self._characters > _ROOM:
            self.clear()
            self._characters = len(text)
        value = self[text] = self._function(text)
        return value
