"""`coc run --watch`: the puzzle, the memory and the pointer, one step at a time."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import frozen
from rich.console import Console

from coc_core.api import Job, OpensListener, RunAddition
from coc_core.cli import console
from coc_core.errors import UsageError
from coc_core.execution import Listener, StepRecord
from coc_core.options import OUTPUT, Decimal, Flag, Option, RunOptions, option
from coc_core.plugin import Registry
from coc_core.setting import Setting

if TYPE_CHECKING:
    from coc_core.domain import Translation

LONGEST_DELAY = 60.0  # seconds


@frozen(kw_only=True, slots=False)
class WatchOptions(RunAddition):
    """How `coc run` shows its steps."""

    watch: bool = option(
        Option("Show the puzzle and the memory in the terminal after each step.", ("--watch",), Flag(), OUTPUT), False
    )
    delay: float = option(
        Option(
            "With --watch: pause this long after each step, from 0 to 60 seconds.",
            ("--delay",),
            Decimal(0, LONGEST_DELAY, "SECONDS"),
            OUTPUT,
        ),
        0.4,
    )

    @property
    def needs_every_step(self) -> str:
        return "--watch shows" if self.watch else ""

    @property
    def draws(self) -> str:
        return "--watch" if self.watch else ""

    def problem(self, registry: Registry, options: RunOptions) -> "Translation | None":
        if self.watch and options.resume is not None:
            raise UsageError("--watch can't be combined with --resume", remedy="leave it out")
        return None

    def listeners(self, job: Job) -> Sequence[OpensListener]:
        if not self.watch:
            return ()
        screen = console.out()
        if not screen.is_terminal:
            raise UsageError("--watch needs a terminal", remedy="leave it out, or don't pipe the output")
        return [lambda: watched(screen, job.setting, self.delay)]


@contextmanager
def watched(console: Console, setting: Setting, delay: float) -> Iterator[Listener]:
    """Give a listener that draws each step on a terminal, then pauses for `delay` seconds."""
    from rich.live import Live  # which most runs do without, as they do without the drawing of steps

    from coc_view.terminal.frame import frame

    with Live(console=console, auto_refresh=False) as live:

        def draw(record: StepRecord) -> None:
            live.update(frame(setting, record, *console.size), refresh=True)
            time.sleep(delay)

        yield draw
