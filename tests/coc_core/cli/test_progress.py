import io
import re
import threading

import pytest
from rich.console import Console

from coc_core.cli import progress as module
from coc_core.cli.progress import progress


def test_a_short_piece_of_work_prints_nothing_into_a_pipe():
    file = io.StringIO()
    with progress(Console(file=file), "running", lambda: 10, lambda: 3):
        pass
    assert file.getvalue() == ""


def lines_of(total, places, note=None, before=0):
    """The lines that a pipe gets of a count that is at another place at each look."""
    file, seen, left = io.StringIO(), threading.Event(), iter(places)

    def count():
        place = next(left, None)
        if place is None:
            seen.set()
        return place or places[-1]

    with progress(Console(file=file), "running", lambda: total, count, note, before):
        seen.wait()
    return file.getvalue().splitlines()


@pytest.fixture
def hurried(monkeypatch):
    monkeypatch.setattr(module, "PLAIN_EVERY", 0.001)


@pytest.mark.usefixtures("hurried")
def test_the_rate_leaves_out_what_was_done_before():
    assert lines_of(None, [10**9] * 3, before=10**9) == ["running: 1,000,000,000, 0 steps/s"]


@pytest.mark.usefixtures("hurried")
def test_no_line_is_there_twice():
    assert len(lines_of(10_000, [3_000] * 50)) == 1
    (line,) = lines_of(None, [3_000] * 50)
    assert re.fullmatch(r"running: 3,000, [\d,]+ steps/s", line)


def test_a_terminal_gets_a_bar_that_asks_for_the_count():
    file, asked = io.StringIO(), []

    def count():
        asked.append(1)
        return 3_000

    console = Console(file=file, force_terminal=True, width=100)
    with progress(console, "running", lambda: 10_000, count, lambda: "so far"):
        pass
    assert asked
    assert "3,000 of 10,000" in file.getvalue()
    assert "so far" in file.getvalue()


@pytest.mark.parametrize("terminal", [False, True])
def test_before_the_counting_begins_there_is_no_count(terminal, monkeypatch):
    monkeypatch.setattr(module, "PLAIN_EVERY", 0.001)
    file, asked = io.StringIO(), threading.Semaphore(0)

    def note():
        asked.release()
        return "getting ready"

    console = Console(file=file, force_terminal=terminal, width=100)
    with progress(console, "running", lambda: None, lambda: None, note):
        for _ in range(4):
            asked.acquire()
    first = file.getvalue().splitlines()[0]
    assert "getting ready" in first
    assert "0" not in re.sub(r"\x1b\[[^m]*m|0:00:\d\d", "", first)
    if not terminal:
        assert file.getvalue() == "running: getting ready\n"
