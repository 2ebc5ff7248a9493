"""`coc run --watch`: the puzzle, the memory and the pointer, one step at a time."""

import time
from types import TracebackType

from rich.console import Console
from rich.live import Live

from coc_core.cli.solve.frame import frame
from coc_core.errors import UsageError
from coc_core.execution import StepRecord
from coc_core.setting import Setting


class Watch:
    """A listener that draws each step on a terminal; a context manager."""

    def __init__(self, console: Console, setting: Setting, delay: float) -> None:
        """Prepare to draw a run in `setting`, with a pause of `delay` seconds after each step.

        Raises:
            UsageError: The console is not a terminal.
        """
        if not console.is_terminal:
            raise UsageError("--watch needs a terminal", remedy="leave it out, or don't pipe the output")
        self._console = console
        self._setting = setting
        self._delay = delay
        self._live = Live(console=console, auto_refresh=False)

    def __enter__(self) -> "Watch":
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._live.stop()

    def __call__(self, record: StepRecord) -> None:
        """Draw the step that was just committed, then pause."""
        width, height = self._console.size
        self._live.update(frame(self._setting, record, width, height), refresh=True)
        time.sleep(self._delay)
