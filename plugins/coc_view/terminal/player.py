"""The player: a run on the whole terminal, forward and backward, and the keys that one presses."""

import re
from collections.abc import Callable

import typer
from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table

from coc_core.cli.console import text
from coc_view.recorded_run import RecordedRun
from coc_view.terminal.frame import frame
from coc_view.terminal.places import ending, outcome_word, place_name, reported, title

_PRESS = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|.", re.DOTALL)
_NAMES = {
    "\x1b[C": "right", "\x1bOC": "right", "\x1b[D": "left", "\x1bOD": "left",
    "\x1b[6~": "down", "\x1b[5~": "up",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end",
}  # fmt: skip


def pressed() -> list[str]:
    """Wait for keys; the names of those that came, a printable one by itself. Ctrl-C raises KeyboardInterrupt."""
    try:
        return names(typer.getchar())
    except EOFError:  # Ctrl-D
        return ["q"]


def names(text: str) -> list[str]:
    """Return the names of the keys that send `text`."""
    return [_NAMES.get(press, press) for press in _PRESS.findall(text)]


HELP = "→ n next  ← p back  PgDn PgUp 10  > < 100  Home End  q quit"

_MOVES = {"right": 1, "n": 1, " ": 1, "left": -1, "p": -1, "down": 10, "up": -10, ">": 100, "<": -100}


class Player:
    """The `place` in a recorded run where the person is, and the keys that move it."""

    def __init__(self, run: RecordedRun, place: int) -> None:
        self._run = run
        self.place = place

    def press(self, key: str) -> bool:
        """Do what a key means; other keys do nothing. Returns whether to go on."""
        if key in ("home", "end"):
            self.place = 0 if key == "home" else self._run.last
        else:
            self.place = max(0, min(self.place + _MOVES.get(key, 0), self._run.last))
        return key != "q"

    def draw(self, width: int, height: int) -> RenderableType:
        """Return the whole screen."""
        run = self._run
        outcome = ending(run.runfile.outcome)
        colour = {"solved": "green", "fault": "red"}.get(outcome, "yellow")
        bar = ProgressBar(total=max(run.last, 1), completed=self.place, width=max(10, min(40, width // 3)))
        where = Table.grid(padding=(0, 2, 0, 0))
        where.add_row(bar, text(place_name(run, self.place)), text(outcome_word(run), style=colour))
        lines = [text(line, no_wrap=True, overflow="ellipsis") for line in reported(run)]
        return Group(
            text(title(run), style="bold", no_wrap=True, overflow="ellipsis"),
            where,
            *lines,
            text(HELP, style="dim", no_wrap=True, overflow="ellipsis"),
            frame(run.setting, run.record(self.place), width, height - 3 - len(lines), run.fault_at(self.place)),
        )


def play(console: Console, player: Player, keys: Callable[[], list[str]] = pressed) -> None:
    """Show the run on an alternate screen until the person has seen enough."""
    with console.screen() as screen:
        while True:
            screen.update(player.draw(*console.size))
            if not all(player.press(key) for key in keys()):
                return
