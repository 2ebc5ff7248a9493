"""The packages in examples/ are what a stranger would write: installed on their own, and made of public names alone."""

import ast
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.for_each import for_each

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(path.parent for path in ROOT.glob("examples/*/pyproject.toml"))
SOURCES = sorted(path for package in PACKAGES for path in package.rglob("*.py"))


def named(path):
    return str(path.relative_to(ROOT / "examples"))


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Runs Python with all of them installed, in a folder of its own."""
    folder, site = tmp_path_factory.mktemp("run"), tmp_path_factory.mktemp("site")
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    environment.pop("PYTEST_ADDOPTS", None)

    def run(*arguments):
        command = [sys.executable, *map(str, arguments)]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
    done = run("-m", "pip", "install", *offline, "--target", site, *PACKAGES)
    assert done.returncode == 0, done.stderr
    return run


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES, ids=named)
def test_its_own_tests_pass(python, package):
    done = python("-m", "pytest", "-q", "-p", "no:cacheprovider", package)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "choices",
    [
        ["--domain", "checkers", "--n", "6", "--memory", "pda"],
        ["--domain", "checkers", "--n", "6", "--memory", "tape", "--arith", "inline"],
        ["--domain", "checkers", "--n", "6", "--memory", "cells", "--arith", "inline", "--model", "reference"],
        ["--domain", "hanoi", "--n", "6", "--memory", "cells", "--arith", "symbolic", "--model", "reference"],
    ],
    ids=" ".join,
)
def test_the_command_knows_them(python, choices):
    done = python("-m", "coc_core", "run", *choices)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "solved" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES, ids=named)
def test_its_readme_shows_what_its_commands_print(python, package):
    readme, printed = (package / "README.md").read_text("utf-8"), ""
    for command in re.findall(r"^(?:coc trace|python examples/).*$", readme, re.MULTILINE):
        program, *arguments = shlex.split(command)
        done = python(*(["-m", "coc_core", *arguments] if program == "coc" else [ROOT / arguments[0], *arguments[1:]]))
        assert done.returncode == 0, command + done.stderr
        printed += done.stdout
    for shown in re.findall(r"```text\n(.*?)```", readme, re.DOTALL):
        assert shown in printed


def test_they_are_listed_with_their_distributions(python):
    done = python("-m", "coc_core", "plugins")
    assert done.returncode == 0, done.stderr
    for package in PACKAGES:
        assert package.name in done.stdout


def imported(path):
    """Each module that a file imports from, and the names, also as far as they are used as attributes of modules."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative"
            yield from ((node.module, alias.name) for alias in node.names)


@for_each("path", SOURCES)
def test_it_imports_public_names_alone(path):
    own = path.relative_to(ROOT / "examples").parts[0].replace("-", "_")
    for module, name in imported(path):
        top = module.partition(".")[0]
        private = [part for part in (*module.split("."), name) if part.startswith("_")]
        assert not private, f"{module} {name}"
        assert not top.startswith("coc_") or top in {own, "coc_core", "coc_check", "coc_problems"}, module
        assert not module.startswith("coc_core.cli"), "the command line is no library"


@for_each("path", SOURCES)
def test_it_touches_no_private_attribute_but_its_own(path):
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            assert isinstance(node.value, ast.Name), ast.unparse(node)
            assert node.value.id == "self", ast.unparse(node)


@pytest.mark.parametrize("package", PACKAGES, ids=named)
def test_it_is_listed(package):
    assert package.name in (ROOT / "examples/README.md").read_text("utf-8")
    assert (package / "README.md").is_file()
