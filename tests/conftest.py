"""Shared by all tests: hypothesis profiles, the command line in process, and plugins that are not installed."""

import json
import os
import signal
import sys
import threading
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, Phase, settings

pytest_plugins = ["pytester"]

if "PYTEST_XDIST_WORKER" in os.environ:  # each process has a core, and torch would take all of them in each
    os.environ.setdefault("OMP_NUM_THREADS", "1")

TESTS = Path(__file__).parent
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in a job that a shell started in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the tests interrupt themselves and their children

settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("dev"), derandomize=True)
settings.register_profile(
    "mutation", parent=settings.get_profile("ci"), max_examples=25, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_collection_modifyitems(items):
    """Outside of the core's tests, those that are slow count for no coverage, which takes as long again as a test."""
    for item in items:
        if item.get_closest_marker("slow") and not item.path.is_relative_to(TESTS / "coc_core"):
            item.add_marker("no_cover")


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item):
    """Trace no test with the marker `no_cover`. pytest-cov ends one of the two measurements that it begins in a worker."""
    if not item.get_closest_marker("no_cover"):
        return (yield)
    trace, trace_of_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        threading.settrace(trace_of_threads)
        sys.settrace(trace)


@pytest.fixture
def coc(capsys):
    """Runs `coc` in this process: `coc("run", "--n", 3)` gives its exit code, stdout and stderr."""
    from coc_core.cli import main

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    return run


@pytest.fixture
def as_refused_by(coc):
    """For the front door: calls it with bad input: it raises what `coc` prints for the same input, with the same exit code."""

    def check(call, *arguments):
        from coc_core.errors import CocError

        with pytest.raises(CocError) as caught:
            call()
        done = coc(*arguments)
        assert done.err == f"coc: error: {caught.value}\n"
        assert done.code == caught.value.exit_code
        return str(caught.value)

    return check


@pytest.fixture
def refused(coc):
    """Runs `coc` with input that it must refuse: one line on stderr, and nothing else, but for `--json`. Gives that line."""

    def run(code, *arguments):
        done = coc(*arguments)
        assert done.code == code, done.err
        if "--json" in arguments:
            error = json.loads(done.out)["error"]
            assert error["exit_code"] == code
            assert error["message"] in done.err
        else:
            assert done.out == ""
        assert done.err.startswith("coc: error: ")
        assert done.err.endswith("\n")
        assert done.err.count("\n") == 1, done.err
        return done.err

    return run


class FakeDistribution(SimpleNamespace):
    """A distribution that is not installed: its name and version."""

    __hash__ = object.__hash__


@pytest.fixture
def entry_point():
    """Makes an entry point of the group `coc`, as if its distribution were installed."""

    def make(name, value, distribution="stranger", version="1.0"):
        dist = FakeDistribution(name=distribution, version=version)
        return EntryPoint(name, value, "coc")._for(dist)

    return make


@pytest.fixture
def with_plugins(monkeypatch, entry_point):
    """Installs plugins for one test, beside the real ones: `with_plugins(("name", "module"), ...)`."""
    from coc_core.plugin import registry

    real = registry.installed()

    def install(*plugins):
        points = (*real, *(entry_point(*plugin) for plugin in plugins))
        monkeypatch.setattr(registry, "installed", lambda: points)

    return install
