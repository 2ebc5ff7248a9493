"""A plugin whose commands are good, bad, and already there."""

from typing import Annotated

import typer

from coc_core.errors import UsageError
from coc_core.plugin import CommandSpec, hookimpl


def greet(name: Annotated[str, typer.Argument(help="Greet this one.")]) -> int:
    """Greet somebody.

    Examples:
        coc greet Ada
    """
    if name == "nobody":
        raise UsageError("nobody is there", remedy="name somebody")
    print(f"hello {name}")
    return 1 if name == "twice" else 0


@hookimpl
def coc_commands():
    return [
        CommandSpec("greet", function="tests.support.fake_commands:greet", summary="Greet somebody."),
        CommandSpec("run", function="tests.support.fake_commands:greet", summary="Take the place of another."),
        CommandSpec("lost", function="tests.support.fake_commands:missing", summary="Be nowhere."),
    ]
