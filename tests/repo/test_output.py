"""All that the command line prints goes through two modules: nothing else in the package writes to a standard stream."""

import ast

import pytest

from tests.support.source_files import ROOT, named, sources, tree

PRINTERS = {ROOT / "coc_core" / "cli" / name for name in ("console.py", "streams.py")}
WRITERS = {"print", "input", "breakpoint", "Console", "Text", "Panel", "GuardedStream", "Output"}
"""Functions and classes that print, or whose texts could hold what a terminal obeys or what rich takes for markup."""
ATTRIBUTES = {
    "sys": {"stdout", "stderr", "__stdout__", "__stderr__", "displayhook", "excepthook"},
    "typer": {"echo", "secho", "echo_via_pager", "confirm", "prompt", "launch"},
    "rich": {"print", "get_console", "print_json", "inspect"},
    "Text": {"assemble", "from_markup", "from_ansi", "styled"},
    "os": {"write", "writev", "system"},
    "logging": {"basicConfig", "StreamHandler", "info", "warning", "error"},
}
MODULES = {"rich.markup", "rich.traceback", "rich.logging", "rich.pretty", "rich.markdown"}
ALLOWED = {
    ("coc_core/__main__.py", "os.write"),  # the line of an interrupt that came before the imports
    ("coc_core/__init__.py", "os.write"),  # the line for a Python that can import nothing else
}


def writes(module):
    """What a module does that could put text on a standard stream by itself."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WRITERS:
            yield node.func.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in ATTRIBUTES.get(node.value.id, ()):
                yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module in MODULES:
                yield node.module
            yield from (
                f"{node.module}.{each.name}" for each in node.names if each.name in ATTRIBUTES.get(node.module, ())
            )


def test_only_they_write_to_a_standard_stream():
    paths = [path for path in sources("coc_core", "plugins") if path not in PRINTERS and "templates" not in path.parts]
    assert {(named(path), what) for path in paths for what in writes(tree(path))} - ALLOWED == set()


LINES = ["print(1)", "sys.stdout.write(text)", "typer.echo(text)", "from typer import echo", "from rich import print"]
LINES += ["from rich.markup import escape", "Console().print(text)", "Text.from_markup(text)", "os.write(1, data)"]
LINES += ["table.add_row(Text(path))"]


@pytest.mark.parametrize("line", LINES)
def test_a_module_that_writes_by_itself_is_noticed(line):
    assert list(writes(ast.parse(line)))
