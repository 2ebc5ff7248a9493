"""Every numeric option of every command reads canonical numbers alone; no option can be forgotten."""

import pytest
import typer

from coc_core.cli.app import app
from coc_problems import parse_sizes
from tests.support.every_command import EVERY_COMMAND
from tests.support.for_each import for_each

HOSTILE = ["٣", "1_0", "nan", "inf", "1e3", " 3", "3 ", "+3", "03", "-0", "10" * 40, "", "0x3", "３", "1\n", "--3"]
NUMERIC = {"N", "K", "SECONDS", "FRACTION"}
"""The metavars of numbers."""


def command_of(path):
    command = typer.main.get_command(app)
    for name in path:
        command = command.get_command(None, name)
    return command


ALL = [(path, command_of(path)) for path in [(), *map(tuple, map(str.split, EVERY_COMMAND))]]
OPTIONS = [(path, option) for path, command in ALL for option in command.params]
NUMBERS = [(path, option) for path, option in OPTIONS if option.metavar in NUMERIC]


def test_there_are_commands_and_numbers():
    assert len(ALL) > 15
    assert len(NUMBERS) > 25


@for_each(("path", "option"), OPTIONS)
def test_no_option_leaves_numbers_to_typer(path, option):
    kind = option.type
    read = getattr(kind, "func", None)
    if read is not None:
        assert read.__qualname__ == "_reader.<locals>.read"
        assert option.metavar in NUMERIC | {"FILE|-", "PLAN"}
    else:
        is_count = getattr(option, "count", False)  # -v, which takes no value
        assert is_count or kind.name in {"str", "boolean", "choice", "path", "<path path>"}


@for_each("text", HOSTILE)
@for_each(("path", "option"), NUMBERS)
def test_another_spelling_is_refused(path, option, text):
    with pytest.raises(typer.BadParameter, match=r"is not a (whole )?number"):
        option.type.convert(text, option, None)


@for_each("text", HOSTILE)
def test_sizes_are_canonical(text):
    with pytest.raises(Exception, match="is not a list of sizes"):
        parse_sizes(text)
    with pytest.raises(Exception, match="is not a list of sizes"):
        parse_sizes(f"1-{text}")
