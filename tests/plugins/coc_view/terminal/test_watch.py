import io
import re

import pytest
from rich.console import Console

from coc_core.cli import console
from coc_core.execution import Sequential
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_view.terminal import watch as module
from coc_view.terminal.frame import SHOWN
from tests.support.machines import recorded

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def watched(memory, n, monkeypatch):
    """The frames of a run, as text, and the pauses between them."""
    pauses, frames = [], []
    monkeypatch.setattr(module.time, "sleep", pauses.append)
    setting = Setting.of(Registry.installed(), "hanoi", memory, "symbolic")
    file = io.StringIO()
    with module.watched(Console(file=file, force_terminal=True, width=120, height=60), setting, 0.25) as watch:

        def listen(record):
            file.truncate(0)
            watch(record)
            frames.append(ESCAPE.sub("", file.getvalue()))

        machine = setting.machine(setting.domain.problem(n), [listen])
        Sequential().run([machine], setting.model("reference"))
    return frames, pauses


@pytest.mark.parametrize("memory", ["pda", "tape"])
def test_each_step_is_drawn_with_its_puzzle_its_text_and_its_memory(memory, monkeypatch):
    frames, pauses = watched(memory, 3, monkeypatch)
    assert len(frames) == 10
    assert pauses == [0.25] * 10
    assert "step 1 " in frames[0]
    assert "INSTR CALL n=3 src=1 dst=3 aux=2" in frames[0]
    assert "▶" in frames[0]
    assert f"{memory}, pointer at" in frames[0]
    assert "▐█▌" in frames[0]
    assert f"{memory}, halted" in frames[-1]
    assert "▶" not in frames[-1]
    assert ("(empty)" in frames[-1]) is (memory == "pda")


def test_a_long_tape_is_shown_around_its_pointer(monkeypatch):
    frames, _ = watched("tape", 4, monkeypatch)
    longest = max(frames, key=lambda frame: len(re.findall(r"prev=-?\d+ ", frame)))
    assert len(re.findall(r"^.*? (?:▶| ) +\d+  (?:CALL|MOVE) .*$", longest, re.M)) <= SHOWN


def test_a_watch_needs_a_terminal(refused):
    told = refused(2, "run", "-d", "hanoi", "-n", 1, "--model", "reference", "--watch")
    assert "--watch needs a terminal; leave it out, or don't pipe the output" in told


def test_the_command_draws_on_a_terminal(coc, monkeypatch):
    monkeypatch.setattr(module.time, "sleep", lambda _: None)
    screen = Console(file=io.StringIO(), force_terminal=True, width=100)
    monkeypatch.setattr(console, "out", lambda: screen)
    assert coc("run", "-d", "hanoi", "-n", 2, "--model", "reference", "--watch", "--delay", 0).code == 0
    drawn = ESCAPE.sub("", screen.file.getvalue())
    assert "step 4" in drawn
    assert "solved" in drawn
    assert "before" not in drawn
    assert len(recorded("pda")[0]) == 10
