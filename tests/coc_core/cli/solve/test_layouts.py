"""Every memory is shown as it is, even if its cells are rewritten in place or nobody here has heard of it."""

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from coc_core.execution import Sequential
from coc_core.plugin import Registry
from coc_core.runfile import RunFile
from coc_core.setting import Setting
from coc_view.recorded_run import RecordedRun
from coc_view.terminal import watch as module
from coc_view.terminal.player import Player
from coc_view.terminal.watch import Watch
from tests.support.for_each import for_each
from tests.support.headless_browser import PROGRAM, browser

EXAMPLES = Path(__file__).parents[4] / "examples"
WIDTH = 400  # so that no window is cut
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LINE = re.compile(r"│ ([▶ ·]) +(\d+)  (\S.*?) +│")
RUNS = [
    ("hanoi", "cells", "inline", 4),
    ("hanoi", "cells", "symbolic", 3),
    ("pancake", "cells", "inline", 12),
    ("pancake", "carousel", "symbolic", 12),
    ("pancake", "plain", "symbolic", 12),
    ("hanoi", "pda", "symbolic", 4),
    ("hanoi", "tape", "inline", 3),
]
STATUS = {
    "cells": "{where}",
    "carousel": "{where}, NEXT={next}",
    "plain": "{where}",
    "pda": "{where}",
    "tape": "{where}, NEXT_ID={count}",
}
WAITING = {  # which windows are not drawn as waiting; on a tape, nobody can tell
    "cells": lambda windows, pointer: range(pointer + 1, len(windows)),
    "carousel": lambda windows, pointer: {*range(len(windows))} - {pointer},
    "plain": lambda windows, pointer: (),
    "pda": lambda windows, pointer: (),
    "tape": lambda windows, pointer: (),
}


@pytest.fixture
def memories(monkeypatch, with_plugins):
    """Installs the memories that are not bundled."""
    monkeypatch.syspath_prepend(EXAMPLES / "coc-cells")
    with_plugins(("cells", "coc_cells"), ("carousel", "tests.support.ring_memory"))


@pytest.fixture
def record(memories, coc, tmp_path):
    """Records a run of the reference model."""

    def make(domain, memory, arith, n):
        path = tmp_path / "a.run"
        choices = ["-d", domain, "-m", memory, "--arith", arith, "-n", n, "--model", "reference"]
        done = coc("run", *choices, "--save", path)
        assert done.code == 0, done.err
        return path

    return make


def expected(memory, windows, pointer):
    """The status line of a memory, and its lines from top to bottom: mark, address and text."""
    done = WAITING[memory](windows, pointer)
    where = "halted" if pointer < 0 else f"pointer at {pointer}"
    status = STATUS[memory].format(where=where, count=len(windows), next=(pointer + 1) % 4)
    marks = ["▶" if at == pointer else "·" if at in done else " " for at in range(len(windows))]
    lines = list(zip(marks, range(len(windows)), windows, strict=True))
    return status, lines[::-1] if memory == "pda" else lines


def drawn(screen, memory):
    """The same, as it is seen on a screen."""
    status = re.search(rf"─ {memory}, (.*?) ─", screen)[1]
    return status, [(mark, int(address), text) for mark, address, text in LINE.findall(screen)]


@for_each(("domain", "memory", "arith", "n"), RUNS)
def test_a_run_that_is_watched(memories, monkeypatch, domain, memory, arith, n):
    monkeypatch.setattr(module.time, "sleep", lambda _: None)
    setting, steps = Setting.of(Registry.installed(), domain, memory, arith), []
    file = io.StringIO()
    with Watch(Console(file=file, force_terminal=True, width=WIDTH, height=80), setting, 0) as watch:

        def listen(record):
            file.truncate(0)
            watch(record)
            steps.append((ESCAPE.sub("", file.getvalue()), tuple(record.windows), record.pointer))

        Sequential().run([setting.machine(setting.domain.problem(n), [listen])], setting.model("reference"))
    assert len(steps) > 4
    for screen, windows, pointer in steps:
        if len(windows) <= 14:
            assert drawn(screen, memory) == expected(memory, windows, pointer)


@pytest.mark.slow
@pytest.mark.parametrize(("domain", "memory", "arith", "n"), RUNS)
def test_a_run_that_is_replayed(record, coc, domain, memory, arith, n):
    path = record(domain, memory, arith, n)
    with RunFile.open(path) as runfile:
        player = Player(RecordedRun(Registry.installed(), runfile), 0)
        for step in (0, 1, 5, 3, 4):
            player.place = step
            file = io.StringIO()
            Console(file=file, width=WIDTH, height=80).print(player.draw(WIDTH, 80))
            found = json.loads(coc("replay", path, "--step", step, "--json").out)
            assert drawn(file.getvalue(), memory) == expected(memory, found["windows"], found["pointer"])


def test_cells_change_in_place(record, coc):
    path = record("hanoi", "cells", "inline", 4)
    before, after = (coc("replay", path, "--step", step).out for step in (6, 7))
    assert drawn(before, "cells") == (
        "pointer at 3",
        [
            (" ", 0, "CALL n=3 src=2 dst=3 aux=1"),
            (" ", 1, "MOVE d=4 src=1 dst=3"),
            (" ", 2, "CALL n=2 src=3 dst=2 aux=1"),
            ("▶", 3, "MOVE d=3 src=1 dst=2"),
            ("·", 4, "CALL n=1 src=2 dst=3 aux=1"),
            ("·", 5, "MOVE d=2 src=1 dst=3"),
            ("·", 6, "CALL n=1 src=1 dst=2 aux=3"),
        ],
    )
    assert drawn(after, "cells")[0] == "pointer at 2"
    halted = coc("replay", path, "--end").out
    assert drawn(halted, "cells")[0] == "halted"
    assert {mark for mark, _, _ in drawn(halted, "cells")[1]} == {"·"}


# ---- in a browser

needs_browser = pytest.mark.skipif(PROGRAM is None, reason="there is no browser here")

LINES = """[...document.querySelectorAll('#windows li')].map((line) => [
    line.className, Number(line.querySelector('.address').textContent), line.querySelector('.text').textContent])"""


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened()


@pytest.fixture
def look(record, coc, tmp_path, tab):
    """The lines and the status of the memory on the page, after each of some steps."""

    def steps(choices, *steps):
        out = tmp_path / "run.html"
        assert coc("view", record(*choices), "-o", out).code == 0
        tab.said.clear()
        tab.open(out.as_uri())
        for step in steps:
            tab.run(f"void (location.hash = '#step={step}')")
            while tab.run("Number(document.getElementById('scrub').value)") != step:
                pass
            yield step, tab.run(LINES), tab.text("registers")
        assert tab.said == []

    return steps


@pytest.mark.slow
@needs_browser
@pytest.mark.parametrize(("domain", "memory", "arith", "n"), RUNS)
def test_the_page_shows_every_memory(look, coc, tmp_path, domain, memory, arith, n):
    for step, lines, status in look((domain, memory, arith, n), 1, 5, 3, 4, 0):
        before, found = (
            json.loads(coc("replay", tmp_path / "a.run", "--step", at, "--json").out) for at in (max(0, step - 1), step)
        )
        windows, pointer = found["windows"], found["pointer"]
        assert [(at, text) for _, at, text in lines] == list(enumerate(windows))
        assert [at for kind, at, _ in lines if kind == "here"] == [pointer]
        if step:
            old = [*before["windows"], *[None] * len(windows)]
            changed = {at for at, text in enumerate(windows) if text != old[at]} - {pointer}
            assert {at for kind, at, _ in lines if kind == "new"} == changed
        faded = {at for kind, at, _ in lines if kind == "done"}
        assert faded <= {*WAITING[memory](windows, pointer)}
        assert status.replace(" · ", ", ") == expected(memory, windows, pointer)[0]


@needs_browser
def test_cells_that_are_not_in_use_are_faded(look, tab):
    (step,) = look(("hanoi", "cells", "inline", 4), 6)
    assert [kind for kind, _, _ in step[1]] == ["waiting", "waiting", "waiting", "here", "read", "done", "done"]
    assert tab.text("legend") == "▶ next\u2003‹ just read\u2003· not waiting to be run"


@needs_browser
@pytest.mark.parametrize(
    ("choices", "newest_first"),
    [
        (("hanoi", "pda", "symbolic", 4), True),
        (("hanoi", "cells", "symbolic", 4), False),
        (("pancake", "plain", "symbolic", 12), False),
    ],
)
def test_the_newest_window_is_at_the_top_if_the_layout_says_so(look, tab, choices, newest_first):
    next(look(choices, 2))
    tops = "[...document.querySelectorAll('#windows li')].map((line) => line.getBoundingClientRect().top)"
    oldest, *_, newest = tab.run(tops)
    assert (newest < oldest) == newest_first
