"""Writing a plan bit by bit."""

from collections.abc import Callable, Sequence
from typing import Any

from coc_core.domain.plans.format import PlanFormat


class PlanWriter:
    """Writes a plan in a format, a few actions at a time; `close` writes what comes after the last one."""

    def __init__(self, form: PlanFormat[Any, Any, Any], write: Callable[[bytes], object]) -> None:
        self._form = form
        self._write = write
        self._separator = ""
        write(_bytes(form.opening))

    def add(self, state: Any, actions: Sequence[Any]) -> None:
        """Write legal actions that are taken one after the other, the first of them in `state`."""
        for index, action in enumerate(actions):
            if index:
                state = self._form.domain.apply(state, actions[index - 1])
            text = self._form.write(state, action)
            if text:
                self._write(_bytes(self._separator + text))
                self._separator = self._form.separator

    def close(self) -> None:
        """Write the end of the plan."""
        self._write(_bytes(self._form.closing))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
