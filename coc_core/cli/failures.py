"""How a command that can't go on ends: one line on stderr, with `--json` a document on stdout, and an exit code."""

import traceback
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import typer
from attrs import frozen

from coc_core.cli import console
from coc_core.errors import EXIT_INTERNAL, EXIT_INTERRUPTED, CocError, PluginError, StorageError, UsageError
from coc_core.plugin import plugin_at_fault, plugin_frame
from coc_core.text import described, nearest

# What typer raises for a command line that makes no sense. It has lived in other modules in other versions of typer.
_Misuse: Any = typer.BadParameter.__base__


@frozen
class Failure:
    """What is reported of an error.

    `kind` is `usage`, `artefact`, `plugin`, `storage`, `internal` or `interrupted`. `where` is the place in a plugin
    where the error arose, as `file:line in function`. `alone` is whether other processes may know nothing of it.
    """

    kind: str
    message: str
    exit_code: int
    remedy: str = ""
    where: str = ""
    alone: bool = False

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


def report(error: BaseException, *, as_json: bool) -> int:
    """Report an error that ends the command; gives the exit code."""
    failure = _failure(error)
    if not failure.message:  # after `coc` alone, which prints the help
        return failure.exit_code
    if failure.exit_code == EXIT_INTERNAL or (console.is_verbose() and failure.kind != "interrupted"):
        console.show_traceback("".join(traceback.format_exception(error)))
    line = f"{failure}; raised at {failure.where}" if failure.where else str(failure)
    if failure.exit_code == EXIT_INTERNAL:
        line = "this is a bug in coc; please report it with the lines above"
    console.error(line, alone=failure.alone)
    console.be_json(as_json)
    with suppress(StorageError):  # where stdout can't be written, the line on stderr must do
        names = ("kind", "message", "remedy", "where", "exit_code")
        console.report({"error": {name: getattr(failure, name) or None for name in names}})
    return failure.exit_code


def _failure(error: BaseException) -> Failure:
    if isinstance(error, CocError):
        where = plugin_frame(error) if isinstance(error, PluginError) else None
        message = error.message.replace("\n", "\\n")  # a file's name may have one
        return Failure(error.kind, message, error.exit_code, error.remedy, where or "")
    if isinstance(error, _Misuse):
        if possible := getattr(error, "possibilities", None):
            near = nearest(error.option_name, possible)
            error.possibilities = [near] if near else None
        return Failure(UsageError.kind, error.format_message(), UsageError.exit_code)
    if any(isinstance(each, KeyboardInterrupt | typer.Abort) for each in _and_what_it_came_from(error)):
        return Failure("interrupted", "interrupted", EXIT_INTERRUPTED)
    raised = described(error)
    if plugin := plugin_at_fault(error):
        message = f"the plugin {plugin} raised {raised}"
        return Failure(PluginError.kind, message, PluginError.exit_code, where=plugin_frame(error) or "", alone=True)
    if isinstance(error, OSError):  # which no writer or reader expected: the system refused, coc did nothing wrong
        place = f": {error.filename}" if error.filename else ""
        message = f"{error.strerror or raised}{place}"
        return Failure(StorageError.kind, message, StorageError.exit_code, alone=True)
    return Failure(CocError.kind, raised, EXIT_INTERNAL, alone=True)


def _and_what_it_came_from(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those during whose handling it arose: a library may turn an interrupt into another error."""
    each: BaseException | None = error
    while each is not None:
        yield each
        each = each.__cause__ or each.__context__
