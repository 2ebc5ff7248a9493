"""How a command that can't go on ends: one line on stderr, with `--json` a document on stdout, and an exit code."""

import traceback
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import typer

from coc_core.cli import console
from coc_core.errors import EXIT_INTERNAL, EXIT_INTERRUPTED, CocError, PluginError, StorageError, UsageError
from coc_core.plugin import plugin_at_fault, plugin_frame
from coc_core.text import described, nearest

# What typer raises for a command line that makes no sense. It has lived in other modules in other versions of typer.
_Misuse: Any = typer.BadParameter.__base__


class Interrupted(CocError):
    """Ctrl-C ended the command."""

    kind = "interrupted"
    exit_code = EXIT_INTERRUPTED


def report(error: BaseException, *, as_json: bool) -> int:
    """Report an error that ends the command; gives the exit code."""
    failure = _failure(error)
    if not failure.message:  # after `coc` alone, which prints the help
        return failure.exit_code
    if failure.exit_code == EXIT_INTERNAL or (console.verbose.get() and not isinstance(failure, Interrupted)):
        console.show_traceback("".join(traceback.format_exception(error)))
    where = plugin_frame(error) if isinstance(failure, PluginError) else None
    line = f"{failure}; raised at {where}" if where else str(failure)
    if failure.exit_code == EXIT_INTERNAL:
        line = "this is a bug in coc; please report it with the lines above"
    console.error(line)
    console.be_json(as_json)
    with suppress(StorageError):  # where stdout can't be written, the line on stderr must do
        found = {"kind": failure.kind, "message": failure.message, "remedy": failure.remedy or None, "where": where}
        console.report({"error": found | {"exit_code": failure.exit_code}})
    return failure.exit_code


def _failure(error: BaseException) -> CocError:
    """Return the error that is reported: coc's own, or one that stands for another."""
    if isinstance(error, CocError):
        error.message = error.message.replace("\n", "\\n")  # a file's name may have one
        return error
    if isinstance(error, _Misuse):
        if possible := getattr(error, "possibilities", None):
            near = nearest(error.option_name, possible)
            error.possibilities = [near] if near else None
        return UsageError(error.format_message())
    if any(isinstance(each, KeyboardInterrupt | typer.Abort) for each in _and_what_it_came_from(error)):
        return Interrupted("interrupted")
    raised = described(error)
    if plugin := plugin_at_fault(error):
        return PluginError(f"the plugin {plugin} raised {raised}")
    if isinstance(error, OSError):  # which no writer or reader expected: the system refused, coc did nothing wrong
        place = f": {error.filename}" if error.filename else ""
        return StorageError(f"{error.strerror or raised}{place}")
    return CocError(raised)


def _and_what_it_came_from(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those during whose handling it arose: a library may turn an interrupt into another error."""
    each: BaseException | None = error
    while each is not None:
        yield each
        each = each.__cause__ or each.__context__
