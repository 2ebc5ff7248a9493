"""The responses of a deterministic model, kept in bounded memory."""

import sys
from typing import Generic, TypeVar

ResponseT = TypeVar("ResponseT")

_ENTRY = 200  # bytes that an entry takes beside its prompt and its response


class ResponseCache(dict[str, ResponseT], Generic[ResponseT]):
    """Responses by prompt. When there is no more room, those that were kept first go first.

    It is a plain dictionary to whoever looks something up, so a look-up costs no more than that.

    Args:
        room: The most bytes that prompts, responses and their entries may take together.
    """

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room
        self._used = 0

    def keep(self, prompt: str, response: ResponseT) -> None:
        """Remember the response to a prompt that is new."""
        self[prompt] = response
        self._used += _size(prompt, response)
        while self._used > self._room:
            oldest = next(iter(self))
            self._used -= _size(oldest, self.pop(oldest))


def _size(prompt: str, response: object) -> int:
    return sys.getsizeof(prompt) + sys.getsizeof(response) + _ENTRY
