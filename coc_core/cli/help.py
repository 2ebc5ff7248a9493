"""The help of a command: its usage, what it does, its options in panels, its commands, its examples.

Written here, since typer's own pages import a parser of Markdown and take as long as all else that `coc --help` does.
"""

import inspect
import re
import textwrap
from typing import Any

from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from typer.core import TyperGroup

from coc_core.cli import console

ARGUMENTS = "Arguments"
OPTIONS = "Options"
_ORDER = (
    ARGUMENTS,
    "Problem",
    "Training",
    "Measurement",
    "Checks",
    "Search",
    "Machine",
    "Model",
    "Output",
    OPTIONS,
    "Advanced",
    "General",
)
"""The panels of options, in their order."""

_COMMANDS = (
    "Commands",
    "Solve problems",
    "Look at runs and plans",
    "Measure and prove",
    "Train models",
    "Connect models",
    "Write plugins",
    "From plugins",
)
"""The panels of commands, by what a user wants to do, in their order; others follow."""

_WIDEST = 34  # columns of an option's names


_DEFAULT = re.compile(r"default: \((.*)\)(?=[;\]])")
"""A default in words, which typer puts in parentheses."""

Rows = list[tuple[str, str]]


def print_help(command: Any, context: Any) -> None:
    """Print the help of a command or of a group of commands, on stdout."""
    out = console.out()
    out.print(console.text("\n ", ("Usage:", "yellow"), command.get_usage(context).removeprefix("Usage:"), "\n"))
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        out.print(Padding(console.text(" ".join(paragraph.split())), (0, 1, 1, 1)))
    for panels in (_commands(command, context), _options(command, context)):
        width = min(_WIDEST, max((len(name) for rows in panels.values() for name, _ in rows), default=0))
        for title, rows in panels.items():
            out.print(_panel(title, rows, width))
    console.show(textwrap.indent(command.epilog.rstrip(), " "))


def _options(command: Any, context: Any) -> dict[str, Rows]:
    panels: dict[str, Rows] = {}
    for param in command.get_params(context):
        usual = ARGUMENTS if param.param_type_name == "argument" else OPTIONS
        panels.setdefault(param.rich_help_panel or usual, []).append(param.get_help_record(context))
    return dict(sorted(panels.items(), key=lambda panel: _ORDER.index(panel[0])))


def _commands(command: Any, context: Any) -> dict[str, Rows]:
    panels: dict[str, Rows] = {}
    if isinstance(command, TyperGroup):
        for name in command.list_commands(context):
            each: Any = command.get_command(context, name)
            panels.setdefault(each.rich_help_panel, []).append((name, each.help))
    return dict(sorted(panels.items(), key=lambda panel: (*_COMMANDS, panel[0]).index(panel[0])))


def _panel(title: str, rows: Rows, width: int) -> Panel:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="cyan", min_width=width, max_width=_WIDEST, overflow="fold")
    table.add_column(ratio=1)
    for name, text in rows:
        said, bracket, extra = _DEFAULT.sub(r"default: \1", text).rpartition("  [")
        parts = [said, (f"{bracket}{extra}", "dim")] if bracket else [text]
        table.add_row(console.text(name), console.text(*parts))
    return console.panel(table, title, border_style="dim")
