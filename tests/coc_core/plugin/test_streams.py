"""The streams, signals and descriptors that a plugin sees while its code is imported, and those afterwards."""

import io
import os
import signal
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from coc_core.plugin import guard
from coc_core.plugin.guard import Guard, UserInterrupt, _Stream


def test_a_stream_has_the_encoding_of_the_one_behind_it():
    behind = SimpleNamespace(encoding="latin-1", errors="strict")
    assert (_Stream(behind).encoding, _Stream(behind).errors) == ("latin-1", "strict")
    for nothing in (None, SimpleNamespace(), SimpleNamespace(encoding=None, errors=None)):
        assert (_Stream(nothing).encoding, _Stream(nothing).errors) == ("utf-8", "backslashreplace")


def test_what_a_plugin_prints_goes_to_stderr_and_what_it_writes_to_stdin_nowhere(monkeypatch):
    stderr = io.StringIO()
    for name in ("stderr", "__stderr__"):
        monkeypatch.setattr(sys, name, stderr)
    exit_now = os._exit
    assert callable(exit_now)
    with Guard("late"):
        assert os._exit is not exit_now
        for name in ("stdin", "__stdin__"):
            getattr(sys, name).write("lost")
        for name in ("stdout", "__stdout__", "stderr", "__stderr__"):
            getattr(sys, name).write(f"{name} ")
    assert stderr.getvalue() == "stdout __stdout__ stderr __stderr__ "
    assert os._exit is exit_now
    assert sys.stderr is stderr


def test_the_standard_input_is_empty_meanwhile_and_then_as_before():
    kept, (end, other) = os.dup(0), os.pipe()
    try:
        os.write(other, b"text")
        os.dup2(end, 0)
        with Guard("late"):
            assert os.fstat(0).st_rdev == Path(os.devnull).stat().st_rdev
            assert os.read(0, 4) == b""
        assert os.read(0, 4) == b"text"
    finally:
        os.dup2(kept, 0)
        for number in (kept, end, other):
            os.close(number)


class Broken:
    """A stream that refuses."""

    closed = False

    def __init__(self, error):
        self.error = error

    def write(self, text):
        raise self.error

    def flush(self):
        raise self.error


@pytest.mark.parametrize("error", [OSError("full"), ValueError("closed")])
def test_a_stream_that_refuses_is_no_obstacle(monkeypatch, error):
    with monkeypatch.context() as patch:
        for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
            patch.setattr(sys, name, Broken(error))
        with Guard("late") as guarded:
            guarded._tell("it takes long")


def test_the_note_does_not_keep_the_process_alive(monkeypatch):
    made = []

    class Timer(SimpleNamespace):
        def start(self):
            made.append(self)

        def cancel(self):
            self.cancelled = True

    monkeypatch.setattr(guard.threading, "Timer", lambda seconds, tell, arguments: Timer(seconds=seconds))
    with Guard("late"):
        assert made[0].daemon is True
        assert made[0].seconds == guard.PATIENCE
    assert made[0].cancelled


def test_an_interrupt_reaches_the_handler_that_was_there():
    told = []
    before = signal.signal(signal.SIGINT, lambda number, frame: told.append((number, frame.f_code.co_name)))
    try:
        with pytest.raises(UserInterrupt, match="while the plugin late was loading"), Guard("late"):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    assert told == [(signal.SIGINT, "test_an_interrupt_reaches_the_handler_that_was_there")]
