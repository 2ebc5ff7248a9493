"""Writing a plan to a file while the run goes on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

from coc_core.domain import Domain, effects
from coc_core.errors import StorageError
from coc_core.execution import Listener, StepRecord


class PlanFormat(StrEnum):
    """How a plan is written: the texts of its actions, or what they physically do."""

    text = "text"
    physical = "physical"


@contextmanager
def plan_file(path: Path, domain: Domain[Any, Any, Any, Any], form: PlanFormat = PlanFormat.text) -> Iterator[Listener]:
    """A listener that writes each action on a line of its own; StorageError if the file can't be written.

    The physical form names every place and leaves out the actions that change nothing.
    """
    write = _guarded(path, lambda file, text: file.write(text))
    try:
        file = path.open("w", encoding="ascii", newline="\n")
    except OSError as error:
        raise StorageError(f"can't write the plan to {path}: {error.strerror}") from None
    texts: dict[Any, str] = {}

    def physical(record: StepRecord) -> None:
        for effect in effects(domain, record.before, record.actions):
            write(file, effect + "\n")

    def textual(record: StepRecord) -> None:
        for action in record.actions:
            text = texts.get(action)
            if text is None:
                text = texts[action] = domain.actions.format(action) + "\n"
            write(file, text)

    try:
        yield physical if form is PlanFormat.physical else textual
    finally:
        _guarded(path, lambda file, _: file.close())(file, "")


def _guarded(path: Path, do: Callable[[TextIO, str], object]) -> Callable[[TextIO, str], None]:
    def guarded(file: TextIO, text: str) -> None:
        try:
            do(file, text)
        except OSError as error:
            raise StorageError(f"can't write the plan to {path}: {error.strerror}") from None

    return guarded
