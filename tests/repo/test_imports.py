"""The command starts light: what is heavy is imported when it is used, and the core knows no plugin."""

import ast
import re
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

from tests.support.source_files import named, sources, tree

HEAVY = {"torch", "tokenizers", "safetensors", "numpy"}
KIT = {"coc_check.parts", "coc_check.domain", "coc_check.fuzz", "hypothesis"}
PLUGINS = sorted({point.value.partition(":")[0] for point in entry_points(group="coc")} - {"coc_core.plugin.core"})

RUN = """
import sys
from coc_core.cli import main
code = main(sys.argv[1:])
print("imported:", *sorted(sys.modules), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["run", "--help"], ["plugins"], ["run", "-d", "hanoi", "-n", "3", "--model", "reference"]],
)
def test_what_needs_no_model_imports_nothing_heavy(arguments):
    done = subprocess.run([sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    imported = set(done.stderr.splitlines()[-1].split())
    assert "coc_core" in imported
    assert not {name.partition(".")[0] for name in imported} & HEAVY
    assert not imported & KIT


def test_a_run_with_a_shipped_model_imports_no_torch():
    done = subprocess.run([sys.executable, "-c", RUN, "run", "-d", "hanoi"], capture_output=True, text=True, check=True)
    imported = {name.partition(".")[0] for name in done.stderr.splitlines()[-1].split()}
    assert imported & HEAVY == {"numpy"}
    assert "hypothesis" not in imported


def test_the_machine_needs_no_command_line():
    code = "import sys, coc_core.execution.machine, coc_core.setting; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"typer", "rich", "click"} & {name.partition(".")[0] for name in done.stdout.split()}


def imports(path):
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_the_core_names_no_plugin():
    assert PLUGINS
    found = []
    for path in sources("coc_core"):
        text = path.read_text("utf-8")
        found += [f"{named(path)} names {plugin}" for plugin in PLUGINS if re.search(rf"\b{plugin}\b", text)]
        tops = {name.partition(".")[0] for name in imports(path)}
        found += [f"{named(path)} imports {name}" for name in tops & {*HEAVY, *PLUGINS}]
    assert found == []
