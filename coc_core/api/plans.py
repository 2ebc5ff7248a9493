"""Writing a plan to a file, which appears when the run has ended."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from coc_core.domain import PlanFormat, PlanWriter
from coc_core.errors import PluginError
from coc_core.execution import Listener, StepRecord
from coc_core.storage import FreshFile


@contextmanager
def plan_file(path: Path, form: PlanFormat[Any, Any, Any]) -> Iterator[Listener]:
    """Give a listener that writes each action in a format, to a file that is made or replaced as a whole.

    If the block raises an exception, the old file stays; but after an error of a plugin, the actions before it are the
    plan.

    Raises:
        StorageError: The file can't be written, or another process is writing it.
    """
    with FreshFile(path, "plan") as file:
        try:
            with _written(form, file.write) as listen:
                yield listen
        except PluginError:
            file.keep()
            raise
        file.keep()


@contextmanager
def plan_lines(form: PlanFormat[Any, Any, Any], lines: list[str]) -> Iterator[Listener]:
    """Give a listener like that of `plan_file`, whose lines are added to a list when the block ends."""
    parts: list[bytes] = []
    with _written(form, parts.append) as listen:
        yield listen
    lines += b"".join(parts).decode().splitlines()


@contextmanager
def _written(form: PlanFormat[Any, Any, Any], write: Callable[[bytes], object]) -> Iterator[Listener]:
    """Give a listener that writes each action, and the end of the plan when the block ends or a plugin fails."""
    writer = PlanWriter(form, write)

    def listen(record: StepRecord) -> None:
        writer.add(record.before, record.actions)

    try:
        yield listen
    except PluginError:
        writer.close()
        raise
    writer.close()
