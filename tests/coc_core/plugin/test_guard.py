"""What plugins print or raise while their code is imported: on stderr, and with their names."""

import importlib
import sys

import pytest

from coc_core.errors import PluginError
from coc_core.plugin import DomainSpec, Registry, UserInterrupt, attribution, guard, load, plugin_at_fault, plugin_frame
from tests.support.fake_distribution import FakeDistribution
from tests.support.for_each import for_each

FINE = """
from coc_core.plugin import DomainSpec, hookimpl

@hookimpl
def coc_domains():
    {in_hook}
    return [DomainSpec("toy", "{factory}", "a toy")]
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module that can be imported; it is forgotten after the test."""
    monkeypatch.syspath_prepend(tmp_path)
    written = []

    def write(text, name="guest"):
        (tmp_path / f"{name}.py").write_text(text)
        importlib.invalidate_caches()
        written.append(name)
        return name

    yield write
    for name in written:
        sys.modules.pop(name, None)


@pytest.fixture
def loaded(module, entry_point):
    """Loads the plugin of some code, and checks that it has changed nothing in the process."""

    def run(text, in_hook="pass"):
        before = state()
        sys.modules.pop("guest", None)
        name = module(f"{text}\n{FINE.format(in_hook=in_hook, factory='tests.support.toy_parts:Queue')}")
        try:
            (plugin,) = load([entry_point("guest", name)])
        finally:
            assert state() == before
        return plugin

    return run


def state():
    """The streams that a guard keeps."""
    return [(each, each.closed) for each in (sys.stdout, sys.stderr)]


@for_each(
    ("text", "error"),
    [
        ("raise GeneratorExit", "GeneratorExit"),
        ("raise StopIteration", "StopIteration"),
        ("raise BaseException('odd')", "BaseException: odd"),
        ("class Panic(BaseException): ...\nraise Panic('at the disco')", "Panic: at the disco"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise ValueError('one\\ntwo' + 'x' * 10_000)", "ValueError: one two"),
        ("class E(Exception):\n    def __str__(self): 1 / 0\nraise E", "E, whose message can't be shown"),
        ("this is no Python", "SyntaxError: "),
    ],
)
def test_whatever_it_does_is_its_own_failure(loaded, text, error):
    for plugin in (loaded(text), loaded("", in_hook=text) if "\n" not in text and "Python" not in text else None):
        if plugin is not None:
            assert plugin.error.startswith(error)
            assert plugin.specs == ()
            assert "\n" not in plugin.failure
            assert len(plugin.failure) < 1_000
            assert "guest.py:" in plugin.where


@for_each(
    "text",
    [
        "print('to', 'nobody')",
        "import sys\nsys.stdout.reconfigure(errors='strict')\nsys.stdout.write('to nobody')",
        "import sys\nsys.stdout.buffer.write(b'to nobody')\nsys.stdout.close()\nsys.stderr.close()",
        "import sys\nsys.stdout = sys.stderr = None",
    ],
)
def test_what_it_prints_goes_to_stderr(loaded, capfd, text):
    plugin = loaded(text)
    assert (plugin.error, len(plugin.specs)) == ("", 1)
    out, err = capfd.readouterr()
    assert out == ""
    assert "nobody" in err or "nobody" not in text


def test_ctrl_c_names_the_plugin(loaded):
    with pytest.raises(UserInterrupt, match=r"^while the plugin 'guest' of stranger was loading$"):
        loaded("import signal\nsignal.raise_signal(signal.SIGINT)")


def test_one_that_hangs_is_named(loaded, capfd, monkeypatch):
    monkeypatch.setattr(guard, "PATIENCE", 0.05)
    assert loaded("import time\ntime.sleep(0.4)").error == ""
    told = "coc: note: the plugin 'guest' of stranger is still loading; press Ctrl-C to stop\n"
    assert capfd.readouterr().err == told


def test_others_work_beside_it(entry_point, module):
    bad = module("raise GeneratorExit", "bad")
    fine = module(FINE.format(in_hook="pass", factory="tests.support.toy_parts:Queue"), "good")
    broken, whole = load([entry_point("bad", bad), entry_point("good", fine)])
    assert broken.error == "GeneratorExit"
    assert [spec.name for spec in whole.specs] == ["toy"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise GeneratorExit", "GeneratorExit"),
        ("def make():\n    raise GeneratorExit('x' * 999)", "GeneratorExit: xxx"),
        ("def make():\n    raise SystemExit", "SystemExit"),
    ],
)
def test_a_factory_is_imported_under_guard(module, entry_point, text, reason):
    late = module(text, "late")
    name = module(FINE.format(in_hook="pass", factory=f"{late}:make"))
    registry = Registry.of(load([entry_point("guest", name)]))
    before = state()
    with pytest.raises(PluginError, match=r"the plugin 'guest' of stranger can't provide late:make: ") as error:
        registry.create(DomainSpec, "toy")
    assert reason in error.value.message
    assert state() == before


def test_streams_may_be_missing(loaded, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setitem(globals(), "state", lambda: None)
    assert loaded("print('to nobody', flush=True)").error == ""


# ── versions ──────────────────────────────────────────────────────────────────────────────────────────────────────


def requiring(entry_point, *requirements):
    point = entry_point("fine", "tests.broken.twin_one")
    return point._for(FakeDistribution(name="stranger", version="1.0", requires=list(requirements)))


@pytest.mark.parametrize(
    ("requirement", "error"),
    [
        ("chain-of-computation>=9", "it requires chain-of-computation>=9, and "),
        ("Chain_Of.Computation (>=9)", "it requires chain-of-computation>=9, and "),
        ("chain-of-computation[testing]~=99.0", "it requires chain-of-computation~=99.0, and "),
        ('chain-of-computation<0.0.1; python_version>"3"', "it requires chain-of-computation<0.0.1, and "),
        ("chain-of-computation>=?", "its requirement 'chain-of-computation>=?' can't be read"),
    ],
)
def test_a_plugin_for_another_version_is_refused_and_not_imported(entry_point, monkeypatch, requirement, error):
    sys.modules.pop("tests.broken.twin_one", None)
    (plugin,) = load([requiring(entry_point, "attrs", requirement)])
    assert plugin.error.startswith(error)
    assert plugin.failure.startswith(f"the plugin 'fine' of stranger failed to load: {error}")
    assert plugin.specs == ()
    assert "tests.broken.twin_one" not in sys.modules


@for_each(
    "requirement",
    [
        "chain-of-computation",
        "chain-of-computation>=0.0.1",
        'chain-of-computation>=9; extra == "future"',
        'chain-of-computation>=9; python_version<"3"',
        "chain-of-computation-extras>=9",
        "attrs>=99999",
        "!",
    ],
)
def test_a_plugin_for_this_version_loads(entry_point, requirement):
    (plugin,) = load([requiring(entry_point, requirement)])
    assert (plugin.error, len(plugin.specs)) == ("", 1)


def test_an_exception_in_another_package_is_the_plugins_that_names_it(module, entry_point, monkeypatch):
    monkeypatch.setattr(attribution, "_imported", {})
    name = module(FINE.format(in_hook="pass", factory=f"{module('def make(): return fail', 'late')}:make"))
    module("def make():\n    return fail\n\n\ndef fail():\n    1 / 0\n", "late")
    registry = Registry.of(load([entry_point("guest", name)]))
    with pytest.raises(ZeroDivisionError) as error:
        registry.create(DomainSpec, "toy")()
    assert plugin_at_fault(error.value) == "'guest' of stranger"
    assert plugin_frame(error.value).endswith("late.py:6 in fail")
    attribution.note_package("coc_core.execution", registry.plugins[0])
    assert set(attribution._imported) == {"late"}
