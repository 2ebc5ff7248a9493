"""The help of every command: what it says, how wide it is, that its examples work, and that it starts at once."""

import inspect
import re
import shlex
import subprocess
import sys

import pytest
import typer

from coc_core.cli.app import app
from coc_core.errors import EXIT_CODES, FAULT_KINDS, CocError
from tests.support.every_command import EVERY_COMMAND, SUMMARIES
from tests.support.for_each import for_each

EVERY = list(EVERY_COMMAND)


@pytest.fixture
def help_of(coc):
    """The help of a command, as lines of 80 columns."""

    def show(command):
        done = coc(*command.split(), "--help")
        assert (done.code, done.err) == (0, "")
        return [line.rstrip() for line in done.out.splitlines()]

    return show


@for_each("command", EVERY)
def test_the_summary_is_the_first_line_of_the_docstring(command):
    docstring = inspect.getdoc(EVERY_COMMAND[command])
    assert docstring.splitlines()[0] == SUMMARIES[command]
    assert SUMMARIES[command].endswith(".")


@for_each("command", EVERY)
def test_each_help_fits_and_ends_with_examples(help_of, command):
    lines = help_of(command)
    assert max(map(len, lines)) <= 80
    assert lines[1].startswith(f" Usage: coc {command} ")
    assert "default: (" not in " ".join(" ".join(lines).split())  # a default in words stands without parentheses
    last = [line for line in lines if line][-1]
    assert last.startswith("     coc ")


@for_each("command", EVERY)
def test_each_example_is_understood(help_of, command):
    lines = help_of(command)
    examples = [line.strip() for line in lines[lines.index(" Examples:") + 1 :] if line]
    assert examples
    parser = typer.main.get_command(app)
    for example in examples:
        name, *arguments = shlex.split(example)
        assert name == "coc"
        with parser.make_context("coc", arguments) as context:
            _, chosen, rest = parser.resolve_command(context, [*context._protected_args, *context.args])
            while hasattr(chosen, "commands"):
                _, chosen, rest = chosen.resolve_command(chosen.make_context("", rest, parent=context), rest)
            with chosen.make_context("", rest, parent=context) as parsed:  # raises for what makes no sense
                assert parsed.args == []
        assert example.startswith(f"coc {command} ") or command in ("data", "plugins", "reproduce")


@for_each("command", EVERY)
def test_each_option_stands_in_a_panel_and_says_what_it_does(command):
    parser = typer.main.get_command(app)
    for name in command.split():
        parser = parser.get_command(None, name)
    for param in parser.params:
        assert param.help[0].isupper()
        assert param.help.endswith((".", "?"))
        if param.param_type_name == "option":
            assert param.rich_help_panel, param.name
            assert param.help.split()[0].rstrip("s:") not in ("The", "A", "What", "How", "Who"), param.help


def test_the_help_lists_the_commands_and_the_exit_codes(coc):
    done = coc("--help")
    assert done.code == 0
    for command in EVERY_COMMAND:
        found = re.search(rf"│ {command} +{re.escape(SUMMARIES[command])} +│", done.out)
        assert bool(found) is (" " not in command)
    for code, meaning in EXIT_CODES.items():
        assert re.search(rf"^ +{code}  {re.escape(meaning)}$", done.out, re.MULTILINE)
    assert "--install-completion" in done.out
    assert "[default: (" not in done.out


def test_every_error_has_an_exit_code_in_the_table():
    assert {error.exit_code for error in CocError.__subclasses__()} < EXIT_CODES.keys()
    assert {fault.exit_code for fault in FAULT_KINDS.values()} < EXIT_CODES.keys()
    assert len({error.kind for error in [CocError, *CocError.__subclasses__()]}) == 1 + len(CocError.__subclasses__())


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["plugins"], ["run", "--help"], ["train", "--help"]])
def test_what_only_prints_imports_no_torch(arguments):
    code = f"import sys; from coc_core.cli import main; main({arguments}); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "'torch'" not in done.stderr
    if arguments == ["--help"]:  # no command: plugins are looked at, since they may offer some
        assert not [name for name in ("coc_core.cli.solve", "rich.markdown") if f"'{name}'" in done.stderr]
