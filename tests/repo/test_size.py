"""How much there is: lines, packages, modules that a run loads, parameters. What grows past these has to earn it."""

import ast
import subprocess
import sys

from tests.support.source_files import ROOT, named, sources, tree

MOST_LINES = {"coc_core": 15_000, "plugins": 49_350}
MOST_MODULES_OF_A_RUN = 80
MOST_PARAMETERS = {"coc_core": 8, "plugins": 48_000}


def test_lines():
    lines = {top: sum(len(path.read_text("utf-8").splitlines()) for path in sources(top)) for top in MOST_LINES}
    assert {top: found for top, found in lines.items() if found > MOST_LINES[top]} == {}


def test_a_run_loads_few_modules():
    code = "import sys, coc_core.cli.solve.run; print(*(name for name in sys.modules if name.startswith('coc_')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert len(done.stdout.split()) <= MOST_MODULES_OF_A_RUN


def test_functions_have_few_parameters():
    found = {}
    for top, most in MOST_PARAMETERS.items():
        for path in sources(top):
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.FunctionDef):
                    names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                    if len(names) - (names[:1] in (["self"], ["cls"])) > most:
                        found[f"{named(path)}:{node.name}"] = len(names)
    assert found == {}
