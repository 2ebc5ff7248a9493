"""The player: a run on the whole terminal, forward and backward."""

from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table

from coc_core.cli.console import text
from coc_view.recorded_run import RecordedRun
from coc_view.terminal.frame import frame
from coc_view.terminal.keys import pressed
from coc_view.terminal.places import ending, outcome_word, place_name, reported, title

HELP = "→ n next  ← p back  PgDn PgUp 10  > < 100  Home End  g go to  {fault}q quit"

_MOVES = {
    "right": 1, "n": 1, " ": 1, "left": -1, "p": -1, "down": 10, "up": -10,
    "far down": 100, ">": 100, "far up": -100, "<": -100,
}  # fmt: skip


class Player:
    """A place in a recorded run, and the keys that move it.

    Attributes:
        place: Where the person is.
        typed: The digits typed after `g`; None if no step is being typed.
    """

    def __init__(self, run: RecordedRun, place: int) -> None:
        self._run = run
        self.place = place
        self.typed: str | None = None

    def press(self, key: str) -> bool:
        """Do what a key means; other keys do nothing.

        Returns:
            Whether to go on.
        """
        if self.typed is not None:
            self._type(key)
        elif key in _MOVES:
            self._go(self.place + _MOVES[key])
        elif key in ("home", "end"):
            self._go(0 if key == "home" else self._run.last)
        elif key == "f" and self._run.fault is not None:
            self._go(self._run.last)
        elif key == "g":
            self.typed = ""
        return key != "q"

    def _go(self, place: int) -> None:
        self.place = max(0, min(place, self._run.last))

    def _type(self, key: str) -> None:
        typed = self.typed or ""
        if key in "0123456789" and len(typed) < len(str(self._run.last)):
            self.typed = typed + key
        elif key == "erase":
            self.typed = typed[:-1]
        elif key in ("enter", "escape", "q"):
            self.typed = None
            if key == "enter" and typed:
                self._go(int(typed))

    def draw(self, width: int, height: int) -> RenderableType:
        """The whole screen."""
        run = self._run
        outcome = ending(run.runfile.outcome)
        colour = {"solved": "green", "fault": "red"}.get(outcome, "yellow")
        if self.typed is None:
            words = text(place_name(run, self.place))
        else:
            words = text(f"go to step: {self.typed}▁", style="bold")
        bar = ProgressBar(total=max(run.last, 1), completed=self.place, width=max(10, min(40, width // 3)))
        where = Table.grid(padding=(0, 2, 0, 0))
        where.add_row(bar, words, text(outcome_word(run), style=colour))
        lines = [text(line, no_wrap=True, overflow="ellipsis") for line in reported(run)]
        return Group(
            text(title(run), style="bold", no_wrap=True, overflow="ellipsis"),
            where,
            *lines,
            text(HELP.format(fault="f fault  " if run.fault else ""), style="dim", no_wrap=True, overflow="ellipsis"),
            frame(run.setting, run.record(self.place), width, height - 3 - len(lines), run.fault_at(self.place)),
        )


def play(console: Console, player: Player, keys: Callable[[], list[str]] = pressed) -> None:
    """Show the run on an alternate screen until the person has seen enough."""
    with console.screen() as screen:
        while True:
            screen.update(player.draw(*console.size))
            if not all(player.press(key) for key in keys()):
                return
