"""How much there is: lines, modules that a run loads, frames, parameters. A commit may lower a limit in `size.json`, never raise it."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.source_files import ROOT, named, sources, tree

LIMITS = Path(__file__).with_name("size.json")
MOST = json.loads(LIMITS.read_text("utf-8"))


def lines(*tops):
    return sum(len(path.read_text("utf-8").splitlines()) for path in sources(*tops))


def test_lines():
    assert lines("coc_core") <= MOST["lines of coc_core"]
    assert lines("coc_core", "plugins") <= MOST["lines of coc_core and plugins"]
    assert lines("tests", "benchmarks") <= MOST["lines of tests and benchmarks"]


def git(*words):
    """What git prints; empty where there is no repository, and for a file that a commit does not have."""
    try:
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""


def raised(now, before):
    """The limits that are higher than before, or gone."""
    return {name for name in before if now.get(name, sys.maxsize) > before[name]}


def test_no_limit_was_raised():
    place = named(LIMITS)
    commits = git("log", "--format=%H", "--", place).split()
    if not commits:
        pytest.skip("there is no repository with a history of this file")
    versions = [json.loads(text) for commit in commits if (text := git("show", f"{commit}:{place}"))]
    assert [raised(MOST, version) for version in versions if raised(MOST, version)] == []


def test_a_limit_that_is_raised_or_gone_is_found():
    assert raised({"a": 2, "b": 1}, {"a": 1, "b": 1, "c": 1}) == {"a", "c"}
    assert raised({"a": 1, "b": 9}, {"a": 2}) == set()


def test_a_run_loads_few_modules(tmp_path):
    code = (
        "import sys; from coc_core.cli import main; code = main(['run', '-d', 'hanoi', '-n', '3']);"
        "print(code, *(name for name in sys.modules if name.startswith('coc_')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    code, *modules = done.stdout.splitlines()[-1].split()
    assert code == "0"
    assert len(modules) <= MOST["modules of a run"]


DEEP = """
import sys

from coc_core.memories import Reference
from coc_core.plugin import ModelSpec, hookimpl


class Deep(Reference):
    name = "deep"

    def _complete(self, prompts, drafts):
        frame, frames = sys._getframe(1), 0
        while frame is not None:
            frames += frame.f_globals["__name__"].startswith("coc_")
            frame = frame.f_back
        print(frames)
        return super()._complete(prompts, drafts)


@hookimpl
def coc_models():
    return [ModelSpec("deep", factory="deep:Deep", summary="says how deep it is called")]
"""


def test_few_frames_lead_to_the_model(tmp_path):
    (tmp_path / "deep.py").write_text(DEEP)
    code = "import sys; from coc_core.__main__ import main; sys.exit(main())"
    words = ["run", "-d", "hanoi", "-n", "3", "--plugin", "deep.py", "--model", "deep"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    frames = [int(line) for line in done.stderr.splitlines()]
    assert 1 < max(frames) <= MOST["frames to the model"]


def test_functions_have_few_parameters():
    found = {}
    for path in sources("coc_core", "plugins"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                if len(names) - (names[:1] in (["self"], ["cls"])) > MOST["parameters of a function"]:
                    found[f"{named(path)}:{node.name}"] = len(names)
    assert found == {}
