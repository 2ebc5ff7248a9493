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


def lines_of(total, note=None):
    """The lines that a pipe gets, if it is asked to wait until there are two."""
    file, asked = io.StringIO(), threading.Semaphore(0)

    def count():
        asked.release()
        return 3000

    with progress(Console(file=file), "running", lambda: total, count, note):
        for _ in range(3):
            asked.acquire()
    return file.getvalue().splitlines()


def test_a_pipe_gets_a_line_now_and_then(monkeypatch):
    monkeypatch.setattr(module, "PLAIN_EVERY", 0.001)
    assert lines_of(10_000, lambda: "so far")[0] == "running: 3,000 of 10,000, so far"
    first = lines_of(None)[0]
    assert first.startswith("running: 3,000, ")
    assert first.endswith(" steps/s")


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
        for _ in range(2):
            asked.acquire()
    first = file.getvalue().splitlines()[0]
    assert "getting ready" in first
    assert "0" not in re.sub(r"\x1b\[[^m]*m|0:00:\d\d", "", first)
    if not terminal:
        assert first == "running: getting ready"
