"""What a shell completes: commands, options, and the names of the parts that are installed."""

import shutil
import subprocess
import sys

import pytest

from coc_core.cli import complete, main
from tests.support.for_each import for_each


@pytest.fixture
def completions(monkeypatch, capsys):
    """What bash gets for a line that ends with what is to be completed."""

    def ask(line):
        words = line.split(" ")
        monkeypatch.setenv("_COC_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        assert main([]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out.split()

    return ask


@for_each(
    ("line", "words"),
    [
        ("coc re", ["replay", "reproduce"]),
        ("coc data ", ["build", "export", "verify"]),
        ("coc run --dom", ["--domain"]),
        ("coc run --dev", ["--device"]),
        ("coc run -d h", ["hanoi", "hanoi-4", "hanoi-any"]),
        ("coc run --memory ", ["heap", "pda", "tape", "transcript", "whole-plan"]),
        ("coc eval --arith s", ["symbolic"]),
        ("coc fuzz -x sp", ["speculative"]),
        ("coc run --arith-model ar", ["arithmetic"]),
        ("coc trace --model hanoi-p", ["hanoi-pda"]),
        ("coc run --model ref", ["reference"]),
        ("coc train --model tr", ["transformer"]),
        ("coc push hanoi-tape-i", ["hanoi-tape-inline"]),
        ("coc check pan", ["pancake", "pancake-heap"]),
        ("coc new ", ["domain", "program", "memory", "arithmetic", "model", "backend", "executor"]),
        ("coc run --plan-format p", ["pddl", "physical"]),
        ("coc run -d nothing", []),
    ],
)
def test_what_is_completed(completions, line, words):
    found = completions(line)
    assert sorted(found) == sorted(words)


def test_the_commands_are_all_there(completions):
    assert {"run", "trace", "eval", "data", "fuzz"} < set(completions("coc "))


def test_presets_are_those_of_every_backend(with_plugins):
    with_plugins(("fake", "tests.support.fake_plugin"))
    names = [name for name, _ in complete.presets("")]
    assert {"small", "arithmetic"} <= set(names)
    assert ("small", "by heart") in complete.presets("sm")
    assert complete.presets("nothing") == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_script_for_the_shell_is_printed():
    done = subprocess.run(
        [sys.executable, "-m", "coc_core"],
        env={"_COC_COMPLETE": "source_bash", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "_COC_COMPLETE=complete_bash" in done.stdout
