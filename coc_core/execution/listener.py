"""Listeners: functions that receive the record of each committed step, in order."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from coc_core.execution.record import StepRecord
from coc_core.proof import ProcedureSummary

Listener = Callable[[StepRecord], None]


class SummaryListener(ABC):
    """A listener that does not need every step: it also accepts the summary of steps that were skipped."""

    @abstractmethod
    def __call__(self, record: StepRecord) -> None:
        """Receive a step that was taken."""

    @abstractmethod
    def skip(self, summary: ProcedureSummary) -> None:
        """Receive what the steps do that were skipped."""


def combined(listeners: tuple[Listener, ...]) -> Listener | None:
    """One listener that calls all of them, in order."""
    if len(listeners) < 2:
        return listeners[0] if listeners else None

    def notify(record: StepRecord) -> None:
        for listener in listeners:
            listener(record)

    return notify
