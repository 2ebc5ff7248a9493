"""The command `coc`: its commands, its exit codes, and `main`, which runs it."""

import os
import sys
from collections.abc import Sequence
from contextvars import copy_context
from typing import Annotated, Any

import typer

from coc_core.cli.commands import COMMANDS
from coc_core.cli.group import GENERAL, group_of
from coc_core.errors import EXIT_CODES, EXIT_SOLVED

_COMPLETE = "_COC_COMPLETE"
"""The environment variable in which a shell asks for completions."""

_EPILOG = """
Examples:

    coc run -d hanoi -n 8
    coc run --help
    coc --install-completion

Exit codes:

""" + "\n".join(f"    {code:3}  {meaning}" for code, meaning in EXIT_CODES.items())

app = typer.Typer(
    name="coc",
    cls=group_of(COMMANDS),
    help="Chain of Computation: a small language model executes an algorithm, one window at a time.",
    epilog=_EPILOG,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"coc {version('chain-of-computation')}")
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
    """Run the command line.

    Args:
        arguments: What follows `coc`; by default the arguments of the process.

    Returns:
        The exit code.
    """
    # In a context of its own, so that options such as -q and --device end with the command.
    return copy_context().run(_main, list(sys.argv[1:] if arguments is None else arguments))


def _main(arguments: list[str]) -> int:
    command: Any = typer.main.get_command(app)
    for option in command.params:
        option.rich_help_panel = GENERAL  # those for completion are typer's
    if instruction := os.environ.get(_COMPLETE):
        from typer.completion import shell_complete

        return shell_complete(command, {}, "coc", _COMPLETE, instruction)
    try:
        # Not `command.main`, which has views of its own on interrupts and broken pipes.
        with command.make_context("coc", arguments) as context:
            code = command.invoke(context)
        sys.stdout.flush()
        return code or EXIT_SOLVED
    except typer.Exit as leave:
        return leave.exit_code
    except BrokenPipeError:
        # The reader of our output has gone. Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_SOLVED
    except (Exception, KeyboardInterrupt) as error:
        from coc_core.cli.failures import report

        return report(error, as_json="--json" in arguments)
