"""Writing a plan to a file, which appears when the run has ended."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from coc_core.domain import PlanFormat, PlanWriter
from coc_core.errors import PluginError
from coc_core.execution import Listener
from coc_core.storage import FreshFile


@contextmanager
def plan_file(path: Path, form: PlanFormat[Any, Any, Any]) -> Iterator[Listener]:
    """Give a listener that writes each action in a format, to a file that is made or replaced as a whole.

    If the block raises an exception, the old file stays; but after an error of a plugin, the actions before it are the
    plan. StorageError if the file can't be written, or another process is writing it.
    """
    with FreshFile(path, "plan") as file:
        writer = PlanWriter(form, file.write)
        try:
            yield lambda record: writer.add(record.before, record.actions)
        except PluginError:
            writer.close()
            file.keep()
            raise
        writer.close()
        file.keep()
