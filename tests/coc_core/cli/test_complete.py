"""What a shell completes: commands and options."""

import shutil
import subprocess
import sys

import pytest

from coc_core.cli import main
from tests.support.for_each import for_each


@for_each(
    ("line", "words"),
    [
        ("coc re", ["replay", "reproduce"]),
        ("coc data ", ["build", "export", "verify"]),
        ("coc run --dom", ["--domain"]),
        ("coc eval --expect u", ["unsolvable"]),
        ("coc run -d nothing", []),
    ],
)
def test_what_is_completed(monkeypatch, capsys, line, words):
    monkeypatch.setenv("_COC_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert (sorted(out.split()), err) == (words, "")


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
