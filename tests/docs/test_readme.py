"""The commands that the README shows work with what its install line brings, or name the extra that they need."""

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

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
TEXT = README.read_text("utf-8")
HANOI = "-d hanoi -n 2"
SMALL = {
    "run": f"run {HANOI} --model reference --plan two.txt",
    "trace": f"trace {HANOI}",
    "replay": "replay five.run --step 3",
    "diff": "diff five.run five.run",
    "view": "view five.run --out small.html",
    "validate": f"validate two.txt {HANOI}",
    "plan": "plan 64.plan --action 7",
    "eval": "eval -d hanoi -n 1-2",
    "certify": f"certify {HANOI} -o small.certificate",
    "data": "data build -d hanoi -n 1-2 -o pairs",
    "train": "train -d hanoi -n 1-2 -o checkpoint --set steps=1 --set max_len=128",
    "reproduce": "reproduce traces --out report",
    "push": "push missing me/model",
    "prompt": f"prompt {HANOI}",
    "serve": "serve --model hanoi-pda --port 1",
    "new": "new domain my-puzzle",
    "doctor": "doctor hanoi -n 1-2",
    "check": "check sequential --kind executor",
    "fuzz": "fuzz --executor cached --examples 5",
    "plugins": "plugins",
}
"""The least that each command can do."""
OPTIONS = {
    "certify -d hanoi -n 2 --no-bounds -o exact.certificate": None,
    "eval -d hanoi -n 1-2 --plot rates.svg": "plots",
    "train -d hanoi -n 1-2 -o plotted --set steps=1 --plot loss.svg": "plots",
    "train -d hanoi -n 1-2 -o logged --set steps=1 --tensorboard logs": "train",
    "eval -d hanoi -n 1-2 --engine dask": "dask",
    "run -d hanoi -n 2 --model openai:x": "llm",
    "run -d hanoi -n 2 --model hf:.": "transformers",
}
"""Options and models that need an extra."""


def extras():
    """The commands of the README's list, each with the extra that its line names, or None."""
    found = {}
    for line in TEXT.partition("## What you can do")[2].partition("\n\n`pip")[0].split("\n- ")[1:]:
        names, _, text = line.partition(":")
        extra = re.search(r"extra `(\w+)`", text)
        found |= dict.fromkeys(re.findall(r"`(?:coc )?(\w+)`", names), extra and extra[1])
        last = text.partition(";")[2]
        if extra and last and extra[1] not in last:  # the text after a semicolon is of the second command
            found[re.findall(r"`(?:coc )?(\w+)`", names)[-1]] = None
        elif extra and last:
            found[re.findall(r"`(?:coc )?(\w+)`", names)[0]] = None
    return found


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


def test_the_readme_lists_every_command():
    assert set(extras()) == set(SMALL) == set(get_command(app).list_commands(None))


def test_the_commands_of_the_readme_run_after_its_install(results):
    ended, folder = results
    shown = [line for line in ended if line.startswith("coc ")]
    assert len(shown) >= 7
    assert [(line, ended[line]) for line in shown if ended[line][0] != 0] == []
    printed = next(block.text for block in blocks(README, "text"))
    assert stable(printed) in stable(ended[shown[0]][1])
    assert (folder / "moves.txt").read_text("utf-8").count("\n") == 2**20 - 1
    assert ended["coc plan 64.plan --action 10000000000000000000"][1].endswith("Move disk 20 from 2 to 1\n")
    assert (folder / "five.html").is_file()


def test_each_command_works_without_extras_or_names_the_one_that_it_needs(results):
    named = extras() | {"eval": None}  # only its figures need one
    for name, extra in (named | OPTIONS).items():
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


def test_the_python_of_the_readme_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (block,) = blocks(README, "python")
    exec(block.text, {})
    assert capsys.readouterr().out.startswith("solved in ")


def test_the_readme_is_short():
    assert len(TEXT.split()) <= 900
