"""The command `coc`: its verbs, and how each error becomes one line and an exit code."""

import os
import sys
import traceback
from collections.abc import Sequence

import click
import typer

from coc_core.cli import console, plugins, run, trace, train
from coc_core.errors import EXIT_INTERNAL, EXIT_INTERRUPTED, CocError, UsageError

app = typer.Typer(
    name="coc",
    help="Chain of Computation: a small language model executes an algorithm, one window at a time.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.run)
app.command("trace")(trace.trace)
app.command("train")(train.train)
app.command("plugins")(plugins.plugins)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"coc {version('chain-of-computation')}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. `arguments` are by default those of the process."""
    try:
        code = typer.main.get_command(app).main(args=arguments, prog_name="coc", standalone_mode=False)
        sys.stdout.flush()
        return code or 0
    except CocError as error:
        console.complain(str(error))
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        typer.echo(error.format_message())
        return UsageError.exit_code
    except click.ClickException as error:
        console.complain(error.format_message())
        return UsageError.exit_code
    except (KeyboardInterrupt, click.Abort):
        console.complain("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone. Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception:
        traceback.print_exc()
        console.complain("this is a bug in coc; please report it with the lines above")
        return EXIT_INTERNAL
