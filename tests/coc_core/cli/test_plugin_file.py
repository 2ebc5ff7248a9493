"""`--plugin FILE`: a plugin in a single file, on every command that looks for parts."""

import json
import re
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[3] / "docs" / "how-to" / "write-a-domain.md"
BROKEN = "raise RuntimeError('the sky is falling')"


@pytest.fixture
def plugin_file(tmp_path):
    """Writes a plugin's file, by default the domain of the guide; its module is forgotten after the test."""
    before = set(sys.modules)

    def write(name="countdown.py", text=""):
        path = tmp_path / name
        path.write_text(text or re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)[0])
        return path

    yield write
    for name in {"countdown", "fumbling", "broken"} & (set(sys.modules) - before):
        del sys.modules[name]


def test_every_command_takes_one_and_its_domain_runs_on_any_memory(coc, plugin_file, tmp_path):
    path, out, run = plugin_file(), tmp_path / "data", tmp_path / "a.run"
    for memory in ("pda", "tape"):
        done = coc("run", "--plugin", path, "-d", "countdown", "-m", memory, "-n", 4, "--model", "reference")
        assert (done.code, done.err) == (0, "")
        assert "solved  countdown · Count n=4" in done.out
    chosen = ("--plugin", path, "-d", "countdown", "--n", 3)
    assert "Count n=3" in coc("trace", *chosen).out
    assert json.loads(coc("eval", *chosen, "--model", "reference", "--json").out)["rate"] == 1
    assert coc("run", *chosen, "--model", "reference", "--save", run).code == 0
    assert coc("run", "--plugin", path, "--resume", run).code == 0
    assert coc("data", "build", *chosen, "--out", out).code == 0
    assert coc("data", "verify", out, "--plugin", path).code == 0
    parts = json.loads(coc("plugins", "--plugin", path, "--json").out)["plugins"][-1]
    found = (parts["name"], parts["distribution"], parts["parts"][0]["name"])
    assert found == ("countdown", "countdown.py", "countdown")
    assert "countdown.py" in coc("plugins", "--plugin", path).out
    broken = plugin_file("broken.py", BROKEN)
    refusal = coc("train", "--plugin", broken, "--model", "broken", "--out", tmp_path / "checkpoint")
    assert "the plugin 'broken' of broken.py failed to load" in refusal.err


def test_a_broken_one_is_a_note_until_it_is_needed(coc, plugin_file):
    path = plugin_file("broken.py", BROKEN)
    told = "the plugin 'broken' of broken.py failed to load: RuntimeError: the sky is falling"
    told += f"; raised at {path}:1 in <module>"
    done = coc("run", "--plugin", path, "-d", "hanoi", "-n", 2, "--model", "reference")
    assert (done.code, done.err) == (0, f"coc: note: {told}\n")
    for domain in ("broken", "whatever-it-was-to-be"):
        done = coc("run", "--plugin", path, "-d", domain)
        assert (done.code, done.out) == (4, "")
        assert done.err == f"coc: note: {told}\ncoc: error: {told}\n"
