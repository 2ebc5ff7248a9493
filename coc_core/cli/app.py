"""The command `coc`: its verbs, and how each error becomes one line and an exit code."""

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import typer

from coc_core.cli import console
from coc_core.cli.extend import check, fuzz, new, plugins
from coc_core.cli.learn import data, export, train
from coc_core.cli.look import diff, replay, view
from coc_core.cli.measure import bench, eval
from coc_core.cli.solve import run, trace
from coc_core.errors import EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_SOLVED, CocError, PluginError, UsageError
from coc_core.plugin import plugin_at_fault

# What typer raises for a command line that makes no sense. It has lived in other modules in other versions of typer.
_Misuse: Any = typer.BadParameter.__base__

app = typer.Typer(
    name="coc",
    help="Chain of Computation: a small language model executes an algorithm, one window at a time.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.run)
app.command("trace")(trace.trace)
app.command("eval")(eval.evaluate)
app.command("train")(train.train)
app.command("bench")(bench.bench)
app.command("replay")(replay.replay)
app.command("diff")(diff.diff)
app.command("view")(view.view)
app.add_typer(data.app, name="data")
app.command("export")(export.export_checkpoint)
app.command("import")(export.import_checkpoint)
app.command("plugins")(plugins.plugins)
app.command("new")(new.new)
app.command("check")(check.check)
app.command("fuzz")(fuzz.fuzz)


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
    command = typer.main.get_command(app)
    try:
        # Not `command.main`, which has views of its own on interrupts and broken pipes.
        with command.make_context("coc", list(sys.argv[1:] if arguments is None else arguments)) as context:
            code = command.invoke(context)
        sys.stdout.flush()
        return code or EXIT_SOLVED
    except CocError as error:
        console.complain(str(error))
        return error.exit_code
    except typer.Exit as leave:
        return leave.exit_code
    except _Misuse as error:
        if message := error.format_message():  # there is none after `coc` alone, which prints the help
            console.complain(message)
        return UsageError.exit_code
    except (KeyboardInterrupt, typer.Abort):
        console.complain("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone. Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if plugin := plugin_at_fault(error):
            console.accuse(f"the plugin {plugin} raised {type(error).__name__}: {error}")
            return PluginError.exit_code
        traceback.print_exc()
        console.accuse("this is a bug in coc; please report it with the lines above")
        return EXIT_INTERNAL
