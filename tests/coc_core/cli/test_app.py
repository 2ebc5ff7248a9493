import os
import runpy
import signal
import sys
from pathlib import Path

import pytest

import coc_core
from coc_core.api import job
from coc_core.cli import failures, main


def test_alone_it_prints_the_help(coc):
    done = coc()
    assert done.code == 2
    assert "Usage: coc" in done.out
    assert done.err == ""


def test_a_bug_of_a_plugin_outside_the_machine_is_its_own(coc, monkeypatch):
    def broken(*_):
        raise KeyError("gone")

    monkeypatch.setattr(job, "choose_problem", broken)
    monkeypatch.setattr(failures, "plugin_at_fault", lambda error: "'rogue' of stranger")
    done = coc("run", "-d", "hanoi", "--model", "reference")
    assert (done.code, done.err) == (4, "coc: error: the plugin 'rogue' of stranger raised KeyError: 'gone'\n")


@pytest.mark.parametrize("arguments", [["plugins", "--json"], ["trace", "-d", "hanoi", "-n", "9"]])
def test_a_reader_that_leaves_is_no_error(monkeypatch, arguments, capsys):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as file:
        monkeypatch.setattr(sys, "stdout", file)
        assert main(arguments) == 0
    assert capsys.readouterr().err == ""


def test_the_module_is_the_command(monkeypatch, capsys):
    monkeypatch.setattr(signal, "getsignal", lambda _: None)  # this process keeps its own handler
    monkeypatch.setattr(sys, "argv", ["coc", "--version"])
    module = Path(coc_core.__file__).with_name("__main__.py")  # by its path: pytest's own importer can't run a module
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(module), run_name="__main__")
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith("coc 0.")
    assert "main" in runpy.run_path(str(module), run_name="coc_core.__main__")


def test_a_device_goes_before_the_environment_and_ends_with_the_command(coc, monkeypatch):
    monkeypatch.setenv("COC_DEVICE", "abacus")
    assert coc("run", "-d", "hanoi", "-n", 2, "--device", "cpu").code == 0
    assert coc("run", "-d", "hanoi", "-n", 2).code == 2
