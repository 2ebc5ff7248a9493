"""What a plugin prints, at import or later, never gets among the results; and whatever it raises is its own error."""

import json
import subprocess
import sys

import pytest

NOISY = """
import ctypes, os, sys
print("to nobody")
os.write(1, b"to nobody\\n")
ctypes.CDLL(None).puts(b"to nobody")

from coc_core.plugin import DomainSpec, hookimpl
from coc_puzzles.hanoi.domain import Hanoi


class Noisy(Hanoi):
    name = "noisy"

    def apply(self, state, action):
        print("to nobody")
        os.write(1, b"to nobody\\n")
        ctypes.CDLL(None).puts(b"to nobody")
        {in_apply}
        return super().apply(state, action)


@hookimpl
def coc_domains():
    os.system("echo to nobody")
    return [DomainSpec("noisy", "{module}:Noisy", "prints")]
"""


@pytest.fixture
def noisy(tmp_path):
    """Writes the plugin; its module is forgotten after the test."""

    def write(in_apply="pass"):
        path = tmp_path / "noisy_plugin.py"
        path.write_text(NOISY.replace("{in_apply}", in_apply).replace("{module}", path.stem))
        return path

    yield write
    sys.modules.pop("noisy_plugin", None)


def test_results_hold_no_word_of_a_plugin(noisy):
    arguments = ("run", "-d", "noisy", "-n", "2", "--model", "reference", "-x", "cached", "--json", "--plugin", noisy())
    done = subprocess.run([sys.executable, "-m", "coc_core", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outcome"] == "solved"
    assert done.stderr.count("to nobody\n") == 4 + 3 * 3
