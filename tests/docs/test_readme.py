"""The commands of the README, and all others, work with what its install line brings, or name the extra that they need."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from coc_core.cli.app import app
from coc_core.extras import install_command
from tests.support.doc_pages import blocks, stable
from tests.support.for_each import for_each

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
HANOI = "-d hanoi -n 2"
SMALL = {
    "run": f"run {HANOI} --model reference --plan two.txt --save two.run",
    "trace": f"trace {HANOI}",
    "replay": "replay two.run --step 3",
    "diff": "diff two.run two.run",
    "view": "view two.run --out small.html",
    "validate": f"validate two.txt {HANOI}",
    "plan": "plan 64.plan --action 7",
    "eval": "eval -d hanoi -n 1-2",
    "certify": f"certify {HANOI} -o small.certificate",
    "data": "data build -d hanoi -n 1-2 -o pairs",
    "train": "train -d hanoi -n 1-2 -o checkpoint --set steps=1 --set max_len=128",
    "reproduce": "reproduce traces --out report",
    "prompt": f"prompt {HANOI}",
    "serve": "serve --model hanoi-pda --port 1",
    "new": "new domain my-puzzle",
    "doctor": "doctor hanoi -n 1-2",
    "check": "check sequential --kind executor",
    "fuzz": "fuzz --executor cached --examples 5",
    "plugins": "plugins",
}
"""The least that each command can do."""
EXTRAS = {"certify": "train", "train": "train", "reproduce": "plots", "serve": "serve"}
"""Commands that need an extra."""
OPTIONS = {
    "certify -d hanoi -n 2 --no-bounds -o exact.certificate": None,
    "eval -d hanoi -n 1-2 --plot rates.svg": "plots",
    "run -d hanoi -n 2 --model openai:x": "llm",
    "run -d hanoi -n 2 --model hf:.": "transformers",
}
"""Options and models that need an extra."""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """How each command ends where nothing is installed but what `pip install .` brings."""
    shown = [line for block in blocks(README, "sh") for line in block.text.splitlines()]
    lines = [
        re.sub(r".*\.venv/bin/coc ", "coc ", line) for line in shown if re.search(r"\bcoc (run|plan|view)\b", line)
    ]
    folder = tmp_path_factory.mktemp("readme")
    arguments = [shlex.split(line)[1:] for line in lines] + [shlex.split(line) for line in (*SMALL.values(), *OPTIONS)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.plain_install"],
        input=json.dumps(arguments),
        cwd=folder,
        env={"PATH": "", "PYTHONPATH": str(ROOT), "COLUMNS": "100", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ended = json.loads(done.stdout)
    return dict(zip([*lines, *SMALL, *OPTIONS], ended, strict=True)), folder


def test_every_command_is_tried():
    assert set(SMALL) == set(get_command(app).list_commands(None))


def test_the_commands_of_the_readme_run_after_its_install(results):
    ended, folder = results
    shown = [line for line in ended if line.startswith("coc ")]
    assert len(shown) == 4
    assert [(line, ended[line]) for line in shown if ended[line][0] != 0] == []
    printed = next(block.text for block in blocks(README, "text"))
    assert stable(printed) in stable(ended[shown[0]][1])
    assert ended["coc plan 64.plan --action 10000000000000000000"][1].endswith("Move disk 20 from 2 to 1\n")
    assert (folder / "blocks.txt").is_file()


def test_each_command_works_without_extras_or_names_the_one_that_it_needs(results):
    for name, extra in (dict.fromkeys(SMALL) | EXTRAS | OPTIONS).items():
        code, _, err = results[0][name]
        if extra is None:
            assert code == 0, (name, err)
        else:
            assert code == 2, (name, err)
            assert install_command(extra).partition(" install ")[2] in err


def test_the_prompt_of_the_readme_has_the_target_below_it(coc):
    prompt, target = [block.text for block in blocks(README, "text")][1].split("\n\n")
    traced = coc("trace", "-d", "hanoi", "-m", "pda", "-n", 3).out
    assert f"Prompt\n{prompt}\n\nTarget\n{target}" in traced


@for_each("name, most", [("README.md", 500), ("CHANGELOG.md", 400), ("CONTRIBUTING.md", 1500)])
def test_the_first_pages_are_short(name, most):
    assert len((ROOT / name).read_text("utf-8").split()) <= most


def test_the_picture_of_the_readme_is_a_run(coc, tmp_path):
    run, picture = tmp_path / "four.run", tmp_path / "hanoi.svg"
    assert coc("run", "-d", "hanoi", "-m", "pda", "-n", 4, "--save", run).code == 0
    assert coc("view", run, "--svg", "-o", picture).code == 0
    shown = ROOT / "docs/pictures/hanoi.svg"
    assert shown.read_text("utf-8") == picture.read_text("utf-8"), "run: python docs/pictures/make.py"
