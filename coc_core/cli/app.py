"""The command `coc`: its commands, its exit codes, and `main`, which runs it."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from contextvars import copy_context
from io import StringIO
from typing import Annotated, Any

import typer

from coc_core.cli import console
from coc_core.cli.group import GENERAL, Group
from coc_core.cli.streams import ReaderGone, gated
from coc_core.errors import EXIT_CODES, EXIT_SOLVED, StorageError

_COMPLETE = "_COC_COMPLETE"
"""The environment variable in which a shell asks for completions."""

_TYPERS = ("install_completion", "show_completion")
"""The options that are not ours."""

_EPILOG = """
Examples:

    coc run -d hanoi -n 8
    coc run --help
    coc --install-completion

Exit codes:

""" + "\n".join(f"    {code:3}  {meaning}" for code, meaning in EXIT_CODES.items())

app = typer.Typer(
    name="coc",
    cls=Group,
    help="Chain of Computation: a small language model executes an algorithm, one window at a time.",
    epilog=_EPILOG,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        console.echo(f"coc {version('chain-of-computation')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version.", rich_help_panel=GENERAL),
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line on what follows `coc`, by default the arguments of the process; gives the exit code."""
    # In a context of its own, so that options such as -q and --device end with the command.
    return copy_context().run(_main, list(sys.argv[1:] if arguments is None else arguments))


def _main(arguments: list[str]) -> int:
    with gated() as results:
        try:
            command = _command()
            try:
                if instruction := os.environ.get(_COMPLETE):
                    code = _complete(command, instruction)
                else:  # not `command.main`, which has views of its own on interrupts and broken pipes
                    with command.make_context("coc", arguments) as context:
                        code = command.invoke(context) or EXIT_SOLVED
            except typer.Exit as leave:
                code = leave.exit_code
            results.flush()
            return code
        except ReaderGone:
            return EXIT_SOLVED
        except BaseException as error:  # a plugin may raise anything
            from coc_core.cli.failures import report

            return report(error, as_json="--json" in arguments)


def _command() -> Any:
    """Return the command `coc`, whose every option ends the command and not the process."""
    command: Any = typer.main.get_command(app)
    for option in command.params:
        if option.name in _TYPERS:
            option.rich_help_panel, option.callback = GENERAL, _returning(option.callback)
    return command


def _returning(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Return one of typer's callbacks, which end the process, as one that ends the command."""

    def call(*given: Any) -> Any:
        try:
            with redirect_stdout(StringIO()) as told:
                return callback(*given)
        except SystemExit as leave:
            console.echo(told.getvalue().removesuffix("\n"), keep="\t")
            raise typer.Exit(int(leave.code or 0)) from None
        except (OSError, UnicodeError) as error:
            raise StorageError(f"the completion can't be installed: {error}") from None

    return call


def _complete(command: Any, instruction: str) -> int:
    """Print what a shell asks for: a script, or the words that a line can go on with."""
    from typer.completion import shell_complete

    with redirect_stdout(StringIO()) as told:
        try:
            code = shell_complete(command, {}, "coc", _COMPLETE, instruction)
        except SystemExit as leave:  # how typer tells fish whether there is a word at all
            return int(leave.code or 0)
    console.echo(told.getvalue().removesuffix("\n"), keep="\t")  # fish wants a tab between a word and its meaning
    return code
