"""Writing a plan to a file while the run goes on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from coc_core.domain import Domain
from coc_core.errors import StorageError
from coc_core.machine import Commit, Listener


@contextmanager
def plan_file(path: Path, domain: Domain[Any, Any, Any, Any]) -> Iterator[Listener]:
    """A listener that writes each action on a line of its own; StorageError if the file can't be written."""
    write = _guarded(path, lambda file, text: file.write(text))
    try:
        file = path.open("w", encoding="ascii", newline="\n")
    except OSError as error:
        raise StorageError(f"can't write the plan to {path}: {error.strerror}") from None
    texts: dict[Any, str] = {}

    def listen(commit: Commit) -> None:
        for action in commit.actions:
            text = texts.get(action)
            if text is None:
                text = texts[action] = domain.actions.format(action) + "\n"
            write(file, text)

    try:
        yield listen
    finally:
        _guarded(path, lambda file, _: file.close())(file, "")


def _guarded(path: Path, do: Callable[[TextIO, str], object]) -> Callable[[TextIO, str], None]:
    def guarded(file: TextIO, text: str) -> None:
        try:
            do(file, text)
        except OSError as error:
            raise StorageError(f"can't write the plan to {path}: {error.strerror}") from None

    return guarded
