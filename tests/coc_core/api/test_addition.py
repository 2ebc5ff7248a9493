"""Options of `coc run` that a plugin adds: what they do is asked for, and by default it is nothing."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from attrs import frozen

from coc_core.api import RunAddition
from coc_core.options import File, Option, option
from coc_core.plugin import RunOptionsSpec, hookimpl


@frozen(kw_only=True, slots=False)
class Diary(RunAddition):
    diary: Path | None = option(Option("Note each step in this file.", ("--diary",), File()), None)

    def listeners(self, job):
        return [self._open] if self.diary else []

    def _open(self):
        return _Book(self.diary)


class _Book:
    def __init__(self, path):
        self._file = path.open("w")

    def __enter__(self):
        return lambda record: self._file.write(f"{record.step}\n")

    def __exit__(self, *_):
        self._file.close()


@frozen(kw_only=True, slots=False)
class Nothing(RunAddition):
    pass


@hookimpl
def coc_run_options():
    here = "tests.coc_core.api.test_addition"
    return [
        RunOptionsSpec("diary", record=f"{here}:Diary", summary="a diary"),
        RunOptionsSpec("nothing", record=f"{here}:Nothing", summary="nothing"),
    ]


@pytest.fixture
def added(with_plugins):
    with_plugins(("diaries", "tests.coc_core.api.test_addition"))


@pytest.mark.usefixtures("added")
def test_an_option_of_a_plugin_hears_of_each_step(coc, tmp_path):
    assert "--diary" in coc("run", "--help").out
    run = ("run", "-d", "hanoi", "-n", 2, "--model", "reference", "-x", "sequential")
    assert coc(*run, "--diary", tmp_path / "d").code == 0
    assert (tmp_path / "d").read_text().split() == ["1", "2", "3", "4"]
    assert coc(*run).code == 0


def test_by_default_it_does_nothing():
    nothing = Nothing()
    assert (nothing.needs_every_step, nothing.draws, nothing.problem(None, None)) == ("", "", None)
    assert (nothing.reads(), nothing.listeners(SimpleNamespace())) == ({}, ())
