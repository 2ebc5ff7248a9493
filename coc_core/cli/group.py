"""Commands that are imported when they are used, and listed without."""

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from coc_core.cli import console
from coc_core.cli.commands import Entry
from coc_core.cli.help import print_help

GENERAL = "General"
"""The panel of the options that every command has."""


def _be_verbose(_context: Any, _option: Any, times: int) -> None:
    if times:
        console.be_verbose()


def _be_quiet(_context: Any, _option: Any, quiet: bool) -> None:
    if quiet:
        console.be_quiet()


def _help(context: Any, _option: Any, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        console.echo(context.get_help())
        context.exit()


def _general() -> list[Any]:
    """The options that every command has; they take effect while the command line is read."""
    return [
        TyperOption(
            param_decls=["verbose", "--verbose", "-v"],
            type=int,
            count=True,
            default=0,
            expose_value=False,
            callback=_be_verbose,
            help="Show the traceback of an error.",
            rich_help_panel=GENERAL,
        ),
        TyperOption(
            param_decls=["quiet", "--quiet", "-q"],
            is_flag=True,
            default=False,
            expose_value=False,
            callback=_be_quiet,
            help="Print only the result and errors: no details, progress or notes.",
            rich_help_panel=GENERAL,
        ),
    ]


class Command(TyperCommand):
    """A command with the options that every command has."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.params.extend(_general())

    def invoke(self, ctx: Any) -> Any:
        from coc_core.storage import check_current_folder  # the help does without

        check_current_folder()  # libraries that commands import need one: without it MKL ends the process
        return super().invoke(ctx)

    def get_help_option(self, ctx: Any) -> TyperOption | None:
        return _in_general(super().get_help_option(ctx))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        print_help(self, ctx)


class Group(TyperGroup):
    """A group of the commands in a table. Make a class for a table with `group_of`."""

    entries: ClassVar[tuple[Entry, ...]] = ()
    offered: ClassVar[Callable[[], tuple[Entry, ...]]] = staticmethod(tuple)

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.params.extend(_general())
        self._table: dict[str, Entry] = {}
        self._loaded: dict[str, Any] = {}
        self._listing = self._complete = False
        self._add(self.entries)

    def get_help_option(self, ctx: Any) -> TyperOption | None:
        return _in_general(super().get_help_option(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, imported now; while the commands are only listed, one that has just a summary."""
        if cmd_name not in self._table:
            self._add_offered()
        if self._listing or cmd_name not in self._table:
            return super().get_command(ctx, cmd_name)
        if cmd_name not in self._loaded:
            self._loaded[cmd_name] = load(self._table[cmd_name])
        return self._loaded[cmd_name]

    def list_commands(self, ctx: Any) -> list[str]:
        self._add_offered()
        return super().list_commands(ctx)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        with self._only_listing():
            print_help(self, ctx)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        with self._only_listing():
            return super().shell_complete(ctx, incomplete)

    def _add_offered(self) -> None:
        """Add the commands that are looked for only when the table does not have what is wanted."""
        if not self._complete:
            self._complete = True
            self._add(type(self).offered())

    def _add(self, entries: tuple[Entry, ...]) -> None:
        self._table |= {entry.name: entry for entry in entries}
        # What is listed: names, summaries and panels.
        for entry in entries:
            self.commands[entry.name] = TyperCommand(
                entry.name, help=entry.summary, short_help=entry.summary, rich_help_panel=entry.panel
            )

    @contextmanager
    def _only_listing(self) -> Iterator[None]:
        self._listing = True
        try:
            yield
        finally:
            self._listing = False


def group_of(entries: tuple[Entry, ...], offered: Callable[[], tuple[Entry, ...]] = tuple) -> type[Group]:
    """The class of a group with these commands, and with those that `offered` finds, which is called when needed."""
    return type("Group", (Group,), {"entries": entries, "offered": staticmethod(offered)})


def load(entry: Entry) -> Any:
    """The command, or the group of commands, that an entry stands for."""
    app = typer.Typer(add_completion=False)
    if entry.children:
        group, text = group_of(entry.children), examples_part(entry.example)
        app.callback(cls=group, help=entry.summary, epilog=text, no_args_is_help=True)(lambda: None)
    else:
        function = entry.function()
        text, examples = help_and_examples(function)
        app.command(entry.name, cls=Command, help=text, epilog=examples, rich_help_panel=entry.panel)(function)
    command = typer.main.get_command(app)
    command.name, command.short_help = entry.name, entry.summary
    return command


def help_and_examples(function: Callable[..., Any]) -> tuple[str, str]:
    """A command's docstring in two parts: what comes before its examples, and the part of the examples."""
    text, _, examples = (inspect.getdoc(function) or "").partition("\n\nExamples:\n")
    return text, examples_part(examples)


def examples_part(examples: str) -> str:
    """The last part of a help. The examples are indented, so that Markdown has them as a block of code."""
    return "\nExamples:\n\n" + textwrap.indent(textwrap.dedent(examples), "    ")


def _in_general(option: TyperOption | None) -> TyperOption | None:
    assert option is not None  # every command has one
    option.rich_help_panel, option.callback = GENERAL, _help
    return option
