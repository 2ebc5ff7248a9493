"""A cache of the responses of a deterministic model, bounded in bytes."""

import sys
from typing import Generic, TypeVar

ResponseT = TypeVar("ResponseT")

_ENTRY_OVERHEAD = 200  # bytes, beside the prompt and the response


class ResponseCache(dict[str, ResponseT], Generic[ResponseT]):
    """Responses by prompt. When the cache is full, the oldest entries are dropped.

    Look-ups are those of a dictionary, and as fast.

    Args:
        max_bytes: The largest size of all prompts, responses and entries together.

    Attributes:
        complete: Whether nothing has been dropped.
    """

    def __init__(self, max_bytes: int) -> None:
        super().__init__()
        self._max_bytes = max_bytes
        self._used = 0
        self.complete = True

    def add(self, prompt: str, response: ResponseT) -> None:
        """Add the response to a prompt that is not in the cache."""
        self[prompt] = response
        self._used += _size(prompt, response)
        while self._used > self._max_bytes:
            oldest = next(iter(self))
            self.complete = False
            self._used -= _size(oldest, self.pop(oldest))


def _size(prompt: str, response: object) -> int:
    return sys.getsizeof(prompt) + sys.getsizeof(response) + _ENTRY_OVERHEAD
