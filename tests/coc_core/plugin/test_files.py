"""A plugin in a single file: it becomes a module of the same name, and its errors are reported."""

import sys

import pytest

from coc_core.errors import PluginError, UsageError
from coc_core.plugin import ExecutorSpec, Registry, attribution, files
from coc_core.plugin.files import load_files

PLUGIN = """
from coc_core.execution import Sequential
from coc_core.plugin import ExecutorSpec
from coc_core.plugin import hookimpl


class Patient(Sequential):
    name = "patient"


def burst():
    raise KeyError("burst")


@hookimpl
def coc_executors():
    return [ExecutorSpec("patient", factory="{module}:Patient", summary="a file's")]
"""


@pytest.fixture
def plugin_file(tmp_path, monkeypatch):
    """Writes the file of a plugin; its module is removed after the test."""
    before = set(sys.modules)

    def write(name="patience.py", text=PLUGIN, folder="."):
        path = tmp_path / folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace("{module}", path.stem))
        return path

    yield write
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def test_its_parts_are_found_and_created(plugin_file):
    path = plugin_file()
    registry = Registry.installed([path])
    plugin = registry.plugins[-1]
    assert (plugin.name, plugin.module, plugin.distribution) == ("patience", "patience", "patience.py")
    assert plugin.from_file
    assert not plugin.built_in
    assert str(plugin) == "'patience' of patience.py"
    assert registry.find(ExecutorSpec, "patient").summary == "a file's"
    executor = registry.create(ExecutorSpec, "patient")
    assert type(executor) is sys.modules["patience"].Patient
    assert sys.modules["patience"].__file__ == str(path)


def test_its_version_depends_on_its_contents(plugin_file):
    (one,) = load_files([plugin_file("one.py")])
    (same,) = load_files([plugin_file("one.py")])
    (other,) = load_files([plugin_file("other.py", PLUGIN + "#")])
    assert one.version == same.version != other.version
    assert len(one.version) == 12


def test_a_file_named_twice_counts_once(plugin_file, tmp_path):
    path = plugin_file()
    (tmp_path / "sub").mkdir()
    assert len(load_files([path, path, tmp_path / "sub" / ".." / path.name])) == 1
    registry = Registry.installed([path])  # a second time in this process
    assert registry.conflicts == ()
    assert registry.create(ExecutorSpec, "patient").name == "patient"


@pytest.mark.parametrize(
    "name", ["my-puzzle.py", "my.puzzle.py", "class.py", "__init__.py", "2048.py", "puzzle.txt", "puzzle"]
)
def test_a_name_that_no_module_can_have_is_refused(plugin_file, name):
    with pytest.raises(UsageError, match=r"a plugin can't be called '.*'; rename it, for example to my_puzzle.py"):
        load_files([plugin_file(name)])


def test_the_name_of_another_module_is_refused(plugin_file, monkeypatch):
    monkeypatch.setitem(sys.modules, "patience", type(sys)("patience"))
    for name in ("coc_core", "random", "antigravity", "sys", "patience"):
        with pytest.raises(UsageError, match=f"a plugin can't be called '{name}.py': a module '{name}' exists"):
            load_files([plugin_file(f"{name}.py")])
    assert "antigravity" not in sys.modules  # it was found without being imported
    monkeypatch.delitem(sys.modules, "patience")
    with pytest.raises(UsageError, match="a module 'patience' exists"):
        load_files([plugin_file(), plugin_file(folder="elsewhere")])


@pytest.mark.parametrize(
    ("path", "reason"), [("nothing.py", "No such file"), (".", "Is a directory"), (300 * "x", "File name too long")]
)
def test_what_cannot_be_read_is_refused(tmp_path, path, reason):
    with pytest.raises(UsageError, match=f"can't read the plugin .*: {reason}.*; name a Python file"):
        load_files([tmp_path / path])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("raise RuntimeError('the sky\\nis falling')", "RuntimeError: the sky is falling"),
        ("raise SystemExit", "SystemExit"),
        ("from . import other", "ImportError: attempted relative import"),
        ("def coc_domains(", "SyntaxError: '(' was never closed"),
        ("\0", ("SyntaxError: source code", "ValueError: source code")),  # one of them, by Python's version
        (PLUGIN.replace("return [", "return 1 / 0, ["), "ZeroDivisionError: division by zero"),
    ],
)
def test_a_broken_file_is_listed_with_its_error(plugin_file, text, error):
    path = plugin_file(text=text)
    for _ in range(2):  # a module that failed is imported again
        (plugin,) = load_files([path])
        assert plugin.error.startswith(error)
        assert plugin.specs == ()
    assert ("patience" in sys.modules) == ("hookimpl" in text)


def test_names_conflict_as_between_other_plugins(plugin_file):
    rival = plugin_file("rival.py")
    registry = Registry.installed([plugin_file(), rival])
    message = "'patient' is offered by 'patience' of patience.py and 'rival' of rival.py; neither gets it"
    with pytest.raises(PluginError, match=f"{message}; leave out --plugin"):
        registry.find(ExecutorSpec, "patient")
    thief = Registry.installed([plugin_file("thief.py", PLUGIN.replace('"patient", f', '"cached", f'))])
    assert "'core' of chain-of-computation keeps it" in str(thief.conflicts[0])
    assert thief.find(ExecutorSpec, "cached").factory == "coc_core.execution:Cached"


def test_the_file_whose_code_raised_an_error_is_named(plugin_file, monkeypatch):
    monkeypatch.setattr(attribution, "installed", lambda: ())
    path = plugin_file()
    load_files([path])
    with pytest.raises(KeyError) as raised:
        sys.modules["patience"].burst()
    assert attribution.plugin_at_fault(raised.value) == "'patience' of patience.py"
    assert attribution.plugin_frame(raised.value).startswith(f"{path}:")


def test_what_is_run_is_what_was_hashed(plugin_file, monkeypatch):
    """The file may become another one between the two."""
    path = plugin_file("swapped.py")
    before = load_files([plugin_file("swapped.py")])[0].version
    sys.modules.pop("swapped")
    real = files.read_bytes

    def read(*arguments):
        data = real(*arguments)
        path.write_text("raise RuntimeError")
        return data

    monkeypatch.setattr(files, "read_bytes", read)
    (plugin,) = load_files([path])
    assert (plugin.error, plugin.version) == ("", before)
