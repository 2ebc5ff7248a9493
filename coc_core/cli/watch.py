"""`--watch`: the puzzle, the memory and the pointer, one step at a time."""

import time
from types import TracebackType
from typing import Any

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from coc_core.errors import UsageError
from coc_core.machine import Commit
from coc_core.setting import Setting

SHOWN = 14  # windows of the memory


class Watch:
    """A listener that draws each step. Usable as a context manager, on a terminal only."""

    def __init__(self, console: Console, setting: Setting, delay: float) -> None:
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

    def __call__(self, commit: Commit) -> None:
        """Draw the step that was just committed, then wait."""
        self._live.update(self._frame(commit), refresh=True)
        time.sleep(self._delay)

    def _frame(self, commit: Commit) -> RenderableType:
        domain = self._setting.domain
        picture = Text(domain.render(commit.after, self._console.width - 4), no_wrap=True)
        question = Group(Text(commit.prompt, style="cyan"), Text(commit.target, style="green"))
        return Group(
            Panel(picture, title=domain.name, title_align="left"),
            Columns([Panel(question, title=f"step {commit.step}", title_align="left"), self._memory(commit)]),
        )

    def _memory(self, commit: Commit) -> Panel:
        memory = commit.memory
        windows, pointer = memory.windows(), memory.pointer
        first = (
            max(0, min(pointer - SHOWN // 2, len(windows) - SHOWN)) if pointer >= 0 else max(0, len(windows) - SHOWN)
        )
        lines: list[Any] = []
        for index, window in list(enumerate(windows))[first : first + SHOWN]:
            here = index == pointer
            lines.append(
                Text(f"{'▶' if here else ' '} {index:>3}  {window}", style="bold" if here else "dim", no_wrap=True)
            )
        title = f"{self._setting.memory.name}, {'halted' if pointer < 0 else f'pointer at {pointer}'}"
        return Panel(Group(*lines) if lines else Text("(empty)", style="dim"), title=title, title_align="left")
