"""What a plugin prints, at import or later, never gets among the results; and whatever it raises is its own error."""

import json
import subprocess
import sys

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
        return super().apply(state, action)


@hookimpl
def coc_domains():
    os.system("echo to nobody")
    return [DomainSpec("noisy", "noisy_plugin:Noisy", "prints")]
"""


def test_results_hold_no_word_of_a_plugin(tmp_path):
    path = tmp_path / "noisy_plugin.py"
    path.write_text(NOISY)
    arguments = ("run", "-d", "noisy", "-n", "2", "--model", "reference", "-x", "cached", "--json", "--plugin", path)
    done = subprocess.run([sys.executable, "-m", "coc_core", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outcome"] == "solved"
    assert done.stderr.count("to nobody\n") == 4 + 3 * 3
