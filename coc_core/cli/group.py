"""Commands that are imported when they are used, and listed without."""

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from coc_core.cli import console
from coc_core.errors import UsageError
from coc_core.text import nearest, quoted

if TYPE_CHECKING:
    from coc_core.plugin import CommandSpec, Registry

GENERAL = "General"
"""The panel of the options that every command has."""

_MEANT = {"solve": "run", "test": "eval", "domains": "plugins", "models": "plugins", "list": "plugins"}
"""Commands by names that people try."""


def _help(context: Any, _option: Any, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        console.echo(context.get_help())
        context.exit()


def _general() -> list[Any]:
    """Return the options that every command has; they take effect while the command line is read."""
    how: dict[str, Any] = {"expose_value": False, "rich_help_panel": GENERAL}
    verbose = how | {"type": int, "count": True, "default": 0, "help": "Show the traceback of an error."}
    quiet = how | {"is_flag": True, "default": False}
    quiet |= {"help": "Print only the result and errors: no details, progress or notes."}
    return [
        TyperOption(param_decls=["verbose", "--verbose", "-v"], callback=_turning(console.verbose), **verbose),
        TyperOption(param_decls=["quiet", "--quiet", "-q"], callback=_turning(console.quiet), **quiet),
    ]


def _turning(mode: ContextVar[bool]) -> Callable[..., None]:
    """Return what turns a mode on if an option is given, of a group or of its command."""

    def call(_context: Any, _option: Any, asked: int) -> None:
        mode.set(bool(asked) or mode.get())

    return call


class _Common:
    """What a command and a group of commands have in common: some options, and help that is written here."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.params: list[Any] = [*self.params, *_general()]

    def get_help_option(self, ctx: Any) -> Any:
        option: Any = super().get_help_option(ctx)  # type: ignore[misc]
        option.rich_help_panel, option.callback = GENERAL, _help
        return option

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from coc_core.cli.help import print_help

        print_help(self, ctx)


class Command(_Common, TyperCommand):
    """A command with the options that every command has."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        options, left, _ = self.make_parser(ctx).parse_args(args=list(args))
        if left and not (ctx.resilient_parsing or options.get("help")):
            domain = _near_domain(left[0]) if any(each.name == "domain" for each in self.params) else None
            remedy = f"did you mean `{ctx.command_path} --domain {domain}`?"
            raise UsageError(
                f"unexpected argument {quoted(left[0], 40)}",
                remedy=remedy if domain else f"`{ctx.command_path} --help` lists what it takes",
            )
        return super().parse_args(ctx, args)


class Group(_Common, TyperGroup):
    """The commands that plugins offer, imported when they are used. Make one of those of a group with `group_of`."""

    of: ClassVar[str] = ""
    """What the names of its commands begin with."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._loaded: dict[str, Any] = {}
        self._listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self._specs)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name, imported now; one with just a summary while commands are only listed."""
        spec = self._specs.get(cmd_name)
        if spec is None:
            return None
        if self._listing:
            panel = "Commands" if self.of else spec.panel
            return TyperCommand(cmd_name, help=spec.summary, short_help=spec.summary, rich_help_panel=panel)
        if cmd_name not in self._loaded:
            self._loaded[cmd_name] = self._load(cmd_name, spec)
        return self._loaded[cmd_name]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        word = args[0]
        if not (word in self._specs or word.startswith("-") or ctx.resilient_parsing):
            near = nearest(word, [*self._specs, *({} if self.of else _MEANT)])
            near = _MEANT.get(near or "", near)
            if not self.of and near is None and (domain := _near_domain(word)):
                near = f"run --domain {domain}"
            meant = f"did you mean `{ctx.command_path} {near}`? " if near else ""
            remedy = f"{meant}`{ctx.command_path} --help` lists the commands"
            raise UsageError(f"there is no command {quoted(word, 40)}", remedy=remedy)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        with self._only_listing():
            super().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        with self._only_listing():
            return super().shell_complete(ctx, incomplete)

    @cached_property
    def _registry(self) -> "Registry":
        return console.load_plugins()

    @cached_property
    def _every(self) -> "dict[str, CommandSpec]":
        from coc_core.plugin import CommandSpec

        return {spec.name: spec for spec in self._registry.specs(CommandSpec)}

    @cached_property
    def _specs(self) -> "dict[str, CommandSpec]":
        inside = ((name.removeprefix(self.of), spec) for name, spec in self._every.items() if name.startswith(self.of))
        return {name: spec for name, spec in inside if " " not in name}

    def _load(self, name: str, spec: "CommandSpec") -> Any:
        """Return the command, or the group of commands, that a spec stands for."""
        app, function = typer.Typer(add_completion=False), self._registry.function(spec)
        if more := getattr(function, "more", None):
            added = (self._registry.load(each, each.record) for each in self._registry.specs(more))
            function = function.extended(*added)  # type: ignore[attr-defined]
        text, _, examples = (inspect.getdoc(function) or "").partition("\n\nExamples:\n")
        examples = "\nExamples:\n\n" + textwrap.indent(textwrap.dedent(examples), "    ")
        if any(each.startswith(f"{spec.name} ") for each in self._every):
            app.callback(cls=group_of(spec.name), help=text, epilog=examples, no_args_is_help=True)(function)
        else:
            app.command(name, cls=Command, help=text, epilog=examples, rich_help_panel=spec.panel)(function)
        command = typer.main.get_command(app)
        command.name, command.short_help = name, spec.summary
        return command

    @contextmanager
    def _only_listing(self) -> Iterator[None]:
        self._listing = True
        try:
            yield
        finally:
            self._listing = False


def _near_domain(word: str) -> str | None:
    from coc_core.plugin import DomainSpec

    return nearest(word, [spec.name for spec in console.load_plugins().specs(DomainSpec)])


def group_of(name: str) -> type[Group]:
    """Return the class of the group of the commands whose names begin with this one."""
    return type("Group", (Group,), {"of": f"{name} "})
