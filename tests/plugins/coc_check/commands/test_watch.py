"""`coc check --watch`: the checks run again when a file is saved."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from coc_check.commands import watch
from coc_check.commands.watch import places_of
from coc_core.errors import UsageError
from coc_core.plugin import Plugin, Registry
from tests.support.installed_plugins import REGISTRY
from tests.support.program_plugin import write_program


@pytest.fixture
def process(monkeypatch):
    """Stands for the process that checks and for the clock; a look at the files calls `saved`, then the last is Ctrl-C."""
    seen = SimpleNamespace(runs=[], saved=[])

    def sleep(_):
        if not seen.saved:
            raise KeyboardInterrupt
        seen.saved.pop(0)()

    monkeypatch.setattr(watch.subprocess, "run", lambda command, check: seen.runs.append(command))
    monkeypatch.setattr(watch, "time", SimpleNamespace(sleep=sleep))
    return seen


def later(path):
    return lambda: os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


def test_the_checks_run_again_when_a_file_has_changed(coc, process, tmp_path):
    plugin = write_program(tmp_path)
    process.saved = [lambda: None, later(plugin), lambda: None, plugin.unlink]
    done = coc("check", "cards", "--plugin", plugin, "--watch", "--only", "seeds_decide", "--kind", "domain", "--json")
    command = ["check", "cards", "--only=seeds_decide", f"--plugin={plugin}", "--kind=domain", "--json"]
    assert process.runs == 3 * [[sys.executable, "-m", "coc_core", *command]]
    assert done.code == 130
    assert done.err.count("watching 1 file; Ctrl-C ends this\n") == 3


def test_the_package_of_a_part_or_of_a_plugin_is_watched(coc, process, monkeypatch, tmp_path):
    (tmp_path / "coc_own").mkdir()
    for name in ("__init__", "part"):
        (tmp_path / "coc_own" / f"{name}.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    broken = Plugin("own", "coc_own", "coc-own", "1", error="SyntaxError")
    assert places_of(Registry.of([broken]), "own", ()) == [tmp_path / "coc_own"]
    assert [place.name for place in places_of(REGISTRY, "tape", ())] == ["coc_core"]
    process.saved = [(tmp_path / "coc_own" / "more.py").touch]
    with pytest.raises(KeyboardInterrupt):
        watch.watch(["check", "own"], places_of(Registry.of([broken]), "own", ()))
    assert len(process.runs) == 2


def test_what_has_no_source_cannot_be_watched(refused):
    with pytest.raises(UsageError, match="no source file of 'nothing' is known; leave out --watch"):
        places_of(REGISTRY, "nothing", ())
    assert "no source file of './somewhere' is known" in refused(2, "check", "./somewhere", "--watch")


@pytest.mark.slow
def test_a_saved_mistake_is_found_and_ctrl_c_ends_it(tmp_path):
    plugin = write_program(tmp_path)
    command = [sys.executable, "-m", "coc_core", "check", "cards", "--plugin", plugin, "--watch"]
    with (tmp_path / "printed").open("w+") as printed:
        watching = subprocess.Popen(command, stdout=printed, stderr=printed, cwd=tmp_path, start_new_session=True)

        def wait_for(text):
            for _ in range(600):
                if text in (tmp_path / "printed").read_text():
                    return
                time.sleep(0.1)
            raise AssertionError((tmp_path / "printed").read_text())

        wait_for("33 passed")
        wait_for("watching 1 file")
        plugin.write_text(plugin.read_text().replace("value = right.value", "value = value"))
        wait_for("1 failed")
        time.sleep(0.2)
        os.killpg(watching.pid, signal.SIGINT)
        assert watching.wait(60) == 130
