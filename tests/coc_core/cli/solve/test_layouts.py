"""Every memory is shown as it is, even if its cells are rewritten in place or nobody here has heard of it."""

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from coc_core.execution import Sequential
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_view.terminal import watch as module
from tests.support.for_each import for_each

EXAMPLES = Path(__file__).parents[4] / "examples"
WIDTH = 400  # so that no window is cut
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LINE = re.compile(r"│ ([▶ ·]) +(\d+)  (\S.*?) +│")
RUNS = [
    ("hanoi", "cells", "inline", 4),
    ("hanoi", "cells", "symbolic", 3),
    ("pancake", "cells", "inline", 12),
    ("hanoi", "pda", "symbolic", 4),
    ("hanoi", "tape", "inline", 3),
]
STATUS = {
    "cells": "{where}",
    "pda": "{where}",
    "tape": "{where}, NEXT_ID={count}",
}
WAITING = {  # which windows are not drawn as waiting; on a tape, nobody can tell
    "cells": lambda windows, pointer: range(pointer + 1, len(windows)),
    "pda": lambda windows, pointer: (),
    "tape": lambda windows, pointer: (),
}


@pytest.fixture
def memories(monkeypatch, with_plugins):
    """Installs a memory that is not bundled."""
    monkeypatch.syspath_prepend(EXAMPLES / "coc-cells")
    with_plugins(("cells", "coc_cells"))


def expected(memory, windows, pointer):
    """The status line of a memory, and its lines from top to bottom: mark, address and text."""
    done = WAITING[memory](windows, pointer)
    where = "halted" if pointer < 0 else f"pointer at {pointer}"
    status = STATUS[memory].format(where=where, count=len(windows))
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
    with module.watched(Console(file=file, force_terminal=True, width=WIDTH, height=80), setting, 0) as watch:

        def listen(record):
            file.truncate(0)
            watch(record)
            steps.append((ESCAPE.sub("", file.getvalue()), tuple(record.windows), record.pointer))

        Sequential().run([setting.machine(setting.domain.problem(n), [listen])], setting.model("reference"))
    assert len(steps) > 4
    for screen, windows, pointer in steps:
        if len(windows) <= 14:
            assert drawn(screen, memory) == expected(memory, windows, pointer)
