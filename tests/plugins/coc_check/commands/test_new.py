"""`coc new`: what it writes is a plugin that works, for every kind, and its own tests say so."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from coc_check.scaffold import KINDS
from tests.support.importable_packages import make_known

ROOT = Path(__file__).parents[4]
LONG = "not executor"  # it takes many seconds; `coc check` has tests


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """A folder with a package of each kind, called my-KIND, and `site`, where their metadata is."""
    from coc_core.cli import main

    folder = tmp_path_factory.mktemp("packages")
    for kind in KINDS:
        assert main(["new", kind, f"my-{kind}", "--out", str(folder / kind)]) == 0
        make_known(folder / kind, folder / "site")
    return folder


@pytest.fixture
def python(packages):
    """Runs `python -m …` where all these packages are known; gives what it printed."""

    def run(*arguments):
        path = [str(packages / "site"), *(str(packages / kind / "src") for kind in KINDS)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("PYTEST_ADDOPTS", None)
        done = subprocess.run(
            [sys.executable, "-m", *arguments], cwd=packages, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def known(packages, kind, monkeypatch):
    """Let this process import the package of a kind, with its metadata."""
    for folder in (packages / "site", packages / kind / "src"):
        monkeypatch.syspath_prepend(folder)


@pytest.mark.parametrize("kind", [*sorted(KINDS.keys() - {"backend"}), pytest.param("backend", marks=pytest.mark.slow)])
def test_it_runs_at_once(kind, packages, coc, monkeypatch):
    known(packages, kind, monkeypatch)
    monkeypatch.chdir(packages / kind)
    module = f"coc_my_{kind}"
    *before, run = KINDS[kind][: 1 if kind == "program" else None]
    for command in before:
        assert coc(*command.format(name=f"my-{kind}").split()[1:]).code == 0
    done = coc(*run.format(name=f"my-{kind}").split()[1:], "--n", 5)
    loaded = [name for name in sys.modules if name.partition(".")[0] == module]
    for name in loaded:
        del sys.modules[name]
    assert done.code == 0, done.err
    assert "solved" in done.out
    assert module in loaded


def test_a_domain_writes_and_reads_pddl(packages, coc, monkeypatch, tmp_path):
    known(packages, "domain", monkeypatch)
    chosen, plan = ("--model", "reference"), tmp_path / "plan.txt"
    assert coc("run", "-d", "my-domain", "-n", 3, *chosen, "--pddl-out", tmp_path / "lock").code == 0
    files = [tmp_path / "lock" / name for name in ("domain.pddl", "problem.pddl")]
    for file in files:
        file.write_text(re.sub(r"\b(turn|shows|above|[dn]\d)\b", r"other-\1", file.read_text()))
    assert coc("run", *chosen, "--pddl", *files, "--plan", plan).code == 0
    assert plan.read_text().startswith("(other-turn other-d1 other-n")
    assert coc("validate", plan, "--pddl", *files).out.startswith("solved")


@pytest.mark.slow
def test_a_program_is_trained_and_certified_at_once(packages, coc, monkeypatch, tmp_path):
    known(packages, "program", monkeypatch)
    monkeypatch.chdir(tmp_path)
    _, train, certify = (command.format(name="my-program").split()[1:] for command in KINDS["program"])
    assert "exact targets: 96 of 96 training pairs" in coc(*train).out
    assert coc(*certify).out.startswith("certified  4 procedures of my-program, 96 prompts")


@pytest.mark.slow
def test_their_own_tests_pass_and_linters_and_types_have_nothing_to_say(python):
    printed = python("pytest", "-q", "--import-mode=importlib", "-k", LONG, *(f"{kind}/tests" for kind in KINDS))
    assert re.search(r"^\d\d+ passed", printed, re.MULTILINE)
    sources = [f"{kind}/src" for kind in KINDS]
    python("ruff", "check", "--no-cache", *KINDS)
    python("ruff", "format", "--no-cache", "--check", *KINDS)
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    ours = ["--select", ",".join(config["select"]), "--ignore", ",".join(config["ignore"])]
    python("ruff", "check", "--no-cache", "--isolated", "--line-length", "120", *ours, *sources)
    python("mypy", "--strict", *sources)


def test_it_says_what_it_wrote_and_what_comes_next(coc, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = coc("new", "domain", "my-puzzle")
    assert (done.code, done.err) == (0, "")
    first, *files = done.out.partition("what to do next:")[0].splitlines()
    written = [path for path in (tmp_path / "coc-my-puzzle").rglob("*") if path.is_file()]
    assert first == f"coc-my-puzzle: the domain my-puzzle, in {len(written)} files"
    assert sorted(tmp_path / "coc-my-puzzle" / line.strip() for line in files) == sorted(written)
    done = coc("new", "backend", "b", "--out", tmp_path / "a folder")
    assert (tmp_path / "a folder" / "pyproject.toml").is_file()
    assert done.out.partition("what to do next:\n")[2].splitlines() == [
        f"  cd '{tmp_path}/a folder'",
        "  pip install -e '.[test]'",
        "  pytest",
        "  coc train --domain hanoi --n 1-8 --holdout 0 --model b --out hanoi-b",
        "  coc check ./hanoi-b",
        "  coc run --domain hanoi --model ./hanoi-b",
    ]


def test_what_makes_no_sense_is_refused(refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = refused(2, "new", "memories", "x")
    assert "unknown kind of plugin 'memories'; did you mean 'memory'? choose from arithmetic, backend, domain" in told
    assert "'My' is not a valid name" in refused(2, "new", "domain", "My")
    assert "a part called 'hanoi' already exists" in refused(2, "new", "domain", "hanoi")
    assert "the module 'coc_core' already exists" in refused(2, "new", "domain", "core")
    (tmp_path / "file").write_text("mine")
    assert "file already exists and is not a folder" in refused(2, "new", "domain", "x", "--out", "file")
    assert "can't write the package file/x" in refused(5, "new", "domain", "x", "--out", "file/x")
    (tmp_path / "coc-x").mkdir()
    (tmp_path / "coc-x" / "file").write_text("mine")
    assert "coc-x already exists and is not an empty folder" in refused(2, "new", "domain", "x")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["coc-x", "file", "file"]
