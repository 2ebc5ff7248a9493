"""The process around the command line: its descriptors, and what an interrupt does before, while and after it runs."""

import os
import signal
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from coc_core import __main__ as process
from coc_core.plugin import Registry
from coc_core.runfile import RunFile
from tests.support import command_process
from tests.support.command_process import CLOSED

RUN = ("run", "-d", "hanoi", "-n", "3", "--model", "reference")


class Left(BaseException):
    """In place of the end of the process."""


@pytest.fixture
def around(monkeypatch):
    """Runs `main` around a command of the test; afterwards the process is as it was. Gives how it left."""
    before, hook = signal.getsignal(signal.SIGINT), sys.unraisablehook
    signal.signal(signal.SIGINT, signal.default_int_handler)
    left = []

    def leave(code):
        left.append(code)
        raise Left

    def run(command):
        monkeypatch.setattr("coc_core.cli.main", command)
        try:
            return process.main()
        except Left:
            return left[0]

    monkeypatch.setattr("os._exit", leave)
    yield run
    signal.signal(signal.SIGINT, before)
    sys.unraisablehook = hook


def interrupt():
    signal.raise_signal(signal.SIGINT)
    return 0


TOLD = "coc: error: interrupted\n"


def handled():
    with pytest.raises(KeyboardInterrupt):
        interrupt()
    return 130


def twice():
    try:
        interrupt()
    finally:
        interrupt()


@pytest.mark.parametrize(("command", "told"), [(handled, ""), (interrupt, TOLD), (twice, TOLD)])
def test_an_interrupt_of_the_command_can_be_handled_once_and_else_leaves_with_a_line(around, capfd, command, told):
    assert around(command) == 130
    assert capfd.readouterr() == ("", told)


def test_an_interrupt_before_the_command_leaves_at_once(around, monkeypatch, capfd):
    with monkeypatch.context() as patch:
        patch.setattr(process, "open_descriptors", interrupt)  # before it is handled
        assert around(None) == 130
    assert capfd.readouterr() == ("", TOLD)
    process.Interrupt()
    with pytest.raises(Left):
        interrupt()
    assert capfd.readouterr() == ("", TOLD)


def test_an_interrupt_where_nothing_can_be_raised_is_heeded_and_other_errors_are_shown(around, monkeypatch, capfd):
    shown, interrupts = [], process.Interrupt()
    monkeypatch.setattr(process.sys, "__unraisablehook__", shown.append)
    for kind in (ValueError, KeyboardInterrupt):
        lost = SimpleNamespace(exc_type=kind)
        with pytest.raises(Left) if kind is KeyboardInterrupt else nullcontext():
            interrupts._lost(lost)
    assert [each.exc_type for each in shown] == [ValueError]
    assert capfd.readouterr() == ("", TOLD)


def test_the_second_interrupt_leaves_even_while_a_plugin_loads(tmp_path):
    path = tmp_path / "stubborn.py"
    path.write_text(
        "import signal\nfor _ in range(9):\n"
        "    try:\n        signal.raise_signal(signal.SIGINT)\n    except BaseException:\n        pass\n"
    )
    done = command_process.coc("plugins", "--plugin", path)
    assert (done.code, done.out) == (130, "")
    assert done.err.endswith("coc: error: interrupted\n")


def test_after_the_command_an_interrupt_keeps_the_code(around, capfd):
    assert around(lambda: 1) == 1
    with pytest.raises(Left):
        interrupt()
    assert capfd.readouterr() == ("", "")


def test_such_an_interrupt_shows_no_traceback(monkeypatch):
    class Deleted:
        def __del__(self):
            interrupt()

    def of(plugins):
        Deleted()
        return made(plugins)

    made = Registry.of
    monkeypatch.setattr("coc_check.commands.plugins.Registry.of", of)
    done = command_process.coc("plugins")
    assert (done.code, done.out, done.err) == (130, "", "coc: error: interrupted\n")


def test_a_stderr_that_is_gone_keeps_no_interrupt_waiting(around, monkeypatch):
    def gone(*_):
        raise OSError(9, "Bad file descriptor")

    monkeypatch.setattr(process.os, "write", gone)
    assert around(interrupt) == 130


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_no_file_gets_the_descriptor_of_a_closed_stream(closed, tmp_path):
    path = tmp_path / "a.run"
    states = {name: CLOSED for number, name in enumerate(("stdin", "stdout", "stderr")) if number in closed}
    done = command_process.coc(*RUN, "--save", path, **states)
    assert done.code == (5 if 1 in closed else 0)
    with RunFile.open(path) as runfile:
        assert runfile.outcome.status == "solved"


def test_a_descriptor_that_is_missing_is_opened(monkeypatch):
    opened, real, fstat, stdin = [], os.open, os.fstat, sys.stdin

    def missing(number):
        if number == 1 and not opened:
            raise OSError(9, "Bad file descriptor")
        return fstat(number)

    monkeypatch.setattr(process.os, "fstat", missing)
    monkeypatch.setattr(process.os, "open", lambda *how: opened.append(real(*how)) or opened[0])
    monkeypatch.setattr(process.sys, "stdin", None)
    process.open_descriptors()
    assert os.get_inheritable(opened[0])
    assert sys.stdin is not stdin
    os.close(opened.pop())
    assert opened == []


@pytest.mark.parametrize("ignored", [False, True])
def test_an_interrupt_that_was_ignored_at_the_start_stays_ignored(ignored, monkeypatch):
    made = Registry.of

    def interrupted(plugins):
        interrupt()
        return made(plugins)

    monkeypatch.setattr("coc_check.commands.plugins.Registry.of", interrupted)
    done = command_process.coc("plugins", interrupts=signal.SIG_IGN if ignored else signal.default_int_handler)
    assert (done.code, done.err) == ((0, "") if ignored else (130, "coc: error: interrupted\n"))
