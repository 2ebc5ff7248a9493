"""The answers of a deterministic model, kept in bounded memory."""

import sys
from collections import OrderedDict
from collections.abc import Iterator, Mapping

_ENTRY = 200  # bytes that an entry takes beside its two texts


class AnswerCache(Mapping[str, str]):
    """Answers by prompt. When there is no more room, those go first that were asked for longest ago.

    `room` is in bytes, the texts and their place in the table together.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._used = 0
        self._texts: OrderedDict[str, str] = OrderedDict()

    def keep(self, prompt: str, answer: str) -> None:
        """Remember the answer to a prompt that is new."""
        self._texts[prompt] = answer
        self._used += _size(prompt, answer)
        while self._used > self._room:
            self._used -= _size(*self._texts.popitem(last=False))

    def __getitem__(self, prompt: str) -> str:
        answer = self._texts[prompt]
        self._texts.move_to_end(prompt)
        return answer

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def _size(prompt: str, answer: str) -> int:
    return sys.getsizeof(prompt) + sys.getsizeof(answer) + _ENTRY
