"""How one step of a run looks on a terminal: the puzzle, the texts of the step, and the memory with its pointer."""

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from coc_core.cli.console import panel, text
from coc_core.cli.pictures import picture
from coc_core.cli.solve.report import fault_line
from coc_core.execution import StepRecord
from coc_core.setting import Setting
from coc_core.text import escaped
from coc_core.types import Fault

SHOWN, FEWEST = 14, 3  # windows of the memory

_BORDERS = 2  # lines of a panel

_TOO_LARGE = "too large to draw here"

POINTER, WAITING, DONE = "▶", " ", "·"


def frame(
    setting: Setting,
    record: StepRecord,
    width: int,
    height: int,
    fault: Fault | None = None,
    tallest: int | None = None,
) -> RenderableType:
    """Draw a step, without any character that a terminal would obey.

    Args:
        setting: Where the run takes place.
        record: The step, with its memory and its states.
        width: The columns that there are, all of which may be used.
        height: The lines that there are. The memory is cut to what they leave, but for a few windows around the
            pointer.
        fault: The fault that followed; the step that it prevented is drawn, on the memory as `record` left it.
        tallest: The lines that the picture may have, by default as many as are left.
    """
    windows = record.windows
    texts = _texts(setting, record, windows, fault)
    lines, beside = sum(each.plain.count("\n") + 1 for each in texts), _fits(texts, windows, width)
    room = height - _BORDERS - _BORDERS - (0 if beside else lines + _BORDERS)
    space = max(0, room - (max(FEWEST, lines) if beside else FEWEST))
    drawn = picture(setting.domain, record.after, width - 4, space if tallest is None else min(space, tallest))
    puzzle = text(_TOO_LARGE, style="dim") if drawn is None else text(drawn, no_wrap=True)
    shown = max(FEWEST, min(SHOWN, room - puzzle.plain.count("\n") - 1))
    title = f"step {fault.step if fault else record.step}"
    return Group(
        panel(puzzle, setting.domain.name),
        Columns([panel(Group(*texts), title), _memory(setting, windows, record.pointer, shown)]),
    )


def _texts(setting: Setting, record: StepRecord, windows: Sequence[str], fault: Fault | None) -> list[Text]:
    if fault is not None:
        window = windows[record.pointer] if record.pointer >= 0 else ""
        return [text(escaped(window), style="cyan"), text(fault_line(fault), style="red")]
    texts = [text(escaped(record.prompt), style="cyan"), text(escaped(record.target), style="green")]
    if record.actions:
        actions = map(setting.domain.actions.format, record.actions)
        texts.append(text(f"actions: {escaped('; '.join(actions))}", style="bold"))
    return texts


def _fits(texts: list[Text], windows: Sequence[str], width: int) -> bool:
    """Return whether there is room for the texts and the memory beside each other, as far as can be predicted."""
    lines = [line for each in texts for line in each.plain.split("\n")]
    return max(map(len, lines)) + max(map(len, windows[-SHOWN:]), default=0) + 16 <= width


def _memory(setting: Setting, windows: Sequence[str], pointer: int, shown: int) -> Panel:
    layout = setting.convention.layout
    first = max(0, len(windows) - shown)
    if pointer >= 0:
        first = max(0, min(pointer - shown // 2, first))
    waiting = layout.waiting_windows(windows, pointer)
    lines: list[Text] = []
    for index, window in enumerate(windows[first : first + shown], first):
        if index == pointer:
            mark, style = POINTER, "bold"
        elif waiting is None:
            mark, style = WAITING, "dim"
        elif index in waiting:
            mark, style = WAITING, ""
        else:
            mark, style = DONE, "dim"
        lines.append(text(f"{mark} {index:>3}  {escaped(window)}", style=style, no_wrap=True))
    if layout.newest_first:
        lines.reverse()
    title = f"{setting.memory.name}, {layout.status(windows, pointer)}"
    return panel(Group(*lines) if lines else text("(empty)", style="dim"), title)
