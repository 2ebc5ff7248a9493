"""How one moment of a run looks on a terminal: the puzzle, the texts of the step, and the memory with its pointer."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from coc_core.cli.solve.show import fault_line
from coc_core.setting import Setting
from coc_core.text import escaped
from coc_core.types import Fault

SHOWN, FEWEST = 14, 3  # windows of the memory


@frozen
class Picture:
    """What a frame shows: the moment after `step`, or, with a `fault`, the step that could not be taken."""

    step: int
    prompt: str
    target: str
    actions: tuple[Any, ...]
    state: Any
    windows: Sequence[str]
    pointer: int
    fault: Fault | None = None


def frame(setting: Setting, picture: Picture, width: int, height: int) -> RenderableType:
    """The picture, with no character of a text that a terminal would obey.

    It is at most `width` columns wide. The memory is cut to what there is room for in `height` lines, but for a few
    windows around the pointer.
    """
    puzzle = setting.domain.render(picture.state, width - 4)
    texts = _texts(setting, picture)
    room = height - puzzle.count("\n") - 5
    if not _fits(texts, picture, width):
        room -= sum(text.plain.count("\n") + 1 for text in texts) + 2
    shown = max(FEWEST, min(SHOWN, room))
    title = f"step {picture.step}"
    return Group(
        Panel(Text(puzzle, no_wrap=True), title=setting.domain.name, title_align="left"),
        Columns([Panel(Group(*texts), title=title, title_align="left"), _memory(setting.memory.name, picture, shown)]),
    )


def _texts(setting: Setting, picture: Picture) -> list[Text]:
    texts = [Text(escaped(picture.prompt), style="cyan")]
    if picture.fault is None:
        texts.append(Text(escaped(picture.target), style="green"))
    else:
        texts.append(Text(fault_line(picture.fault), style="red"))
    if picture.actions:
        actions = map(setting.domain.actions.format, picture.actions)
        texts.append(Text(f"actions: {escaped('; '.join(actions))}", style="bold"))
    return texts


def _fits(texts: list[Text], picture: Picture, width: int) -> bool:
    """Whether the texts and the memory find room beside each other, as far as can be told."""
    lines = [line for text in texts for line in text.plain.split("\n")]
    windows = picture.windows[-SHOWN:]
    return max(map(len, lines)) + max(map(len, windows), default=0) + 16 <= width


def _memory(name: str, picture: Picture, shown: int) -> Panel:
    windows, pointer = picture.windows, picture.pointer
    first = max(0, len(windows) - shown)
    if pointer >= 0:
        first = max(0, min(pointer - shown // 2, first))
    lines: list[Text] = []
    for index, window in enumerate(windows[first : first + shown], first):
        here = index == pointer
        line = f"{'▶' if here else ' '} {index:>3}  {escaped(window)}"
        lines.append(Text(line, style="bold" if here else "dim", no_wrap=True))
    where = "halted" if pointer < 0 else f"pointer at {pointer}"
    if name == "tape":
        where += f", NEXT_ID={len(windows)}"
    return Panel(Group(*lines) if lines else Text("(empty)", style="dim"), title=f"{name}, {where}", title_align="left")
