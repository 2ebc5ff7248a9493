"""The player: a run on the whole terminal, forward and backward."""

from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from coc_core.cli.look.frame import frame
from coc_core.cli.look.keys import pressed
from coc_core.cli.look.reel import Reel, ending

HELP = "→ n on  ← p back  PgDn PgUp 10  > < 100  Home End  g go to  f fault  q quit"

_MOVES = {
    "right": 1, "n": 1, " ": 1, "left": -1, "p": -1, "down": 10, "up": -10,
    "far down": 100, ">": 100, "far up": -100, "<": -100,
}  # fmt: skip


class Player:
    """Where a person stands in a run. `press` is what a key does; False when that is the last one."""

    def __init__(self, reel: Reel, place: int) -> None:
        self._reel = reel
        self.place = place
        self.typed: str | None = None
        """The step that is being typed after `g`."""

    def press(self, key: str) -> bool:
        """Do what a key asks for; a key that asks for nothing does nothing."""
        if self.typed is not None:
            self._type(key)
        elif key in _MOVES:
            self._go(self.place + _MOVES[key])
        elif key in ("home", "end"):
            self._go(0 if key == "home" else self._reel.last)
        elif key == "f" and self._reel.fault is not None:
            self._go(self._reel.last)
        elif key == "g":
            self.typed = ""
        return key != "q"

    def _go(self, place: int) -> None:
        self.place = max(0, min(place, self._reel.last))

    def _type(self, key: str) -> None:
        typed = self.typed or ""
        if key in "0123456789" and len(typed) < len(str(self._reel.last)):
            self.typed = typed + key
        elif key == "erase":
            self.typed = typed[:-1]
        elif key in ("enter", "escape", "q"):
            self.typed = None
            if key == "enter" and typed:
                self._go(int(typed))

    def draw(self, width: int, height: int) -> RenderableType:
        """The whole screen."""
        reel = self._reel
        place = Table.grid(padding=(0, 2, 0, 0))
        typed = Text(f"go to step: {self.typed}▁", style="bold")
        words = typed if self.typed is not None else Text(reel.words(self.place))
        colour = {"solved": "green", "fault": "red"}.get(ending(reel.runfile.outcome), "yellow")
        bar = ProgressBar(total=max(reel.last, 1), completed=self.place, width=max(10, min(40, width // 3)))
        place.add_row(bar, words, Text(ending(reel.runfile.outcome), style=colour))
        return Group(
            Text(reel.title, style="bold", no_wrap=True, overflow="ellipsis"),
            place,
            Text(HELP, style="dim", no_wrap=True, overflow="ellipsis"),
            frame(reel.setting, reel.picture(self.place), width, height - 3),
        )


def play(console: Console, player: Player, keys: Callable[[], list[str]] = pressed) -> None:
    """Show the run on an alternate screen until the person has seen enough."""
    with console.screen() as screen:
        while True:
            screen.update(player.draw(*console.size))
            if not all(player.press(key) for key in keys()):
                return
