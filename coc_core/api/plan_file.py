"""Writing a plan to a file, which appears when the run has ended."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

from coc_core.domain import Domain, effects
from coc_core.errors import PluginError
from coc_core.execution import Listener, StepRecord
from coc_core.storage import FreshFile


class PlanFormat(StrEnum):
    """How a plan is written: the texts of its actions, what they physically do, or as a grammar (`grammar_file`)."""

    text = "text"
    physical = "physical"
    grammar = "grammar"


@contextmanager
def plan_file(path: Path, domain: Domain[Any, Any, Any, Any], form: PlanFormat = PlanFormat.text) -> Iterator[Listener]:
    """A listener that writes each action on a line of its own, to a file that is made or replaced as a whole.

    The physical form names every place and leaves out the actions that change nothing. If the block raises an
    exception, the old file stays; but after an error of a plugin, the actions before it are the plan.

    Raises:
        StorageError: The file can't be written, or another process is writing it.
    """
    with FreshFile(path, "plan") as file:
        texts: dict[Any, bytes] = {}

        def physical(record: StepRecord) -> None:
            for effect in effects(domain, record.before, record.actions):
                file.write(_line(effect))

        def textual(record: StepRecord) -> None:
            for action in record.actions:
                text = texts.get(action)
                if text is None:
                    text = texts[action] = _line(domain.actions.format(action))
                file.write(text)

        try:
            yield physical if form is PlanFormat.physical else textual
        except PluginError:
            file.keep()
            raise
        file.keep()


def _line(action: str) -> bytes:
    return f"{action}\n".encode("utf-8", "backslashreplace")
