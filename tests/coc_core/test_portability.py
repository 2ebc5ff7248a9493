"""Systems that lack what Linux has: macOS has no `sched_getaffinity`, and Windows neither `fcntl` nor `fork`."""

import os
import runpy
import sys

import pytest

from coc_core import __main__ as process
from coc_core.storage import scratch
from coc_workers.pool import Pool
from coc_workers.processes import processes, usable_cores

SUPPORTED = "coc runs on Linux and macOS; on Windows, run it in WSL"
HANOI = ("-d", "hanoi", "-m", "pda", "-n")


@pytest.fixture
def macos(monkeypatch):
    for name in ("sched_getaffinity", "fork"):
        monkeypatch.delattr(os, name, raising=False)


def test_commands_work_without_what_only_linux_has(macos, coc, tmp_path):
    for words in (
        ("run", *HANOI, 3, "--save", tmp_path / "three.run"),
        ("eval", *HANOI, "1-3"),
        ("data", "build", *HANOI, "1-2", "-o", tmp_path / "pairs"),
        ("train", *HANOI, "1-2", "-o", tmp_path / "checkpoint", "--set", "steps=1", "--set", "max_len=128"),
        ("plugins",),
    ):
        done = coc(*words)
        assert done.code == 0, (words, done.err)
    with Pool(processes, 2) as pool:  # with the threads of each worker
        pool.open()


def test_the_cores_are_counted_everywhere(monkeypatch, macos):
    assert usable_cores() == os.cpu_count()
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores() == 1


def test_windows_is_refused_in_one_line(monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    assert process.main() == 2
    assert capfd.readouterr().err == f"coc: error: {SUPPORTED}\n"


def test_windows_is_refused_at_import_too(monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(ImportError, match=f"^{SUPPORTED}$"):
        runpy.run_path(scratch.__file__)
