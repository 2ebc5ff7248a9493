"""How a command that can't go on ends: its line, its document with `--json`, its exit code, and -v and -q."""

import json
import sys

import pytest

from coc_core.api import job
from coc_core.cli import console
from tests.support.for_each import for_each

PLUGIN = """
from coc_core.execution import Sequential
from coc_core.plugin import DomainSpec, ExecutorSpec, hookimpl


class Stumbling(Sequential):
    name = "stumbling"

    def _run(self, machines, model):
        return self._fall(machines)

    def _fall(self, machines):
        raise KeyError("\\x1b[31mdropped")


def unmade():
    raise RuntimeError("no parts")


@hookimpl
def coc_executors():
    return [ExecutorSpec("stumbling", "stumbling:Stumbling", "falls"), ExecutorSpec("unmade", "stumbling:unmade", "")]
"""


@pytest.fixture
def stumble(coc, tmp_path):
    """Runs a small problem with an executor of a plugin that is broken."""
    path = tmp_path / "stumbling.py"
    path.write_text(PLUGIN)

    def run(*arguments, executor="stumbling"):
        return coc("run", "-d", "hanoi", "-n", 2, "--model", "reference", "--plugin", path, "-x", executor, *arguments)

    yield run
    sys.modules.pop("stumbling", None)


LINE = r"coc: error: the plugin 'stumbling' of stumbling.py raised KeyError: '\x1b[31mdropped'"


def error_of(done):
    """The one document on stdout."""
    assert done.out.count("\n") == 1
    document = json.loads(done.out)
    assert document.keys() == {"error"}
    assert document["error"].keys() == {"kind", "message", "remedy", "where", "exit_code"}
    assert document["error"]["exit_code"] == done.code
    return document["error"]


BUG = ("run", "-d", "hanoi", "--model", "reference", "--json")


@for_each(
    ("words", "kind", "message", "code"),
    [
        (("run", "-d", "hanio", "--json"), "usage", "unknown domain 'hanio'", 2),
        (("run", "-d", "hanoi", "--model", "ctrl-c", "--json"), "interrupted", "interrupted", 130),
        (BUG, "internal", "KeyError: 'gone'", 70),
    ],
)
def test_with_json_a_failure_is_a_document(coc, with_plugins, monkeypatch, words, kind, message, code):
    with_plugins(("fake", "tests.support.fake_plugin"))
    if words is BUG:
        monkeypatch.setattr(job, "choose_problem", lambda *_: {}["gone"])
    done = coc(*words)
    error = error_of(done)
    assert (error["kind"], error["message"], error["where"], done.code) == (kind, message, None, code)
    if kind == "usage":
        assert error["remedy"].startswith("did you mean 'hanoi'? choose from ")
        assert done.err == f"coc: error: {error['message']}; {error['remedy']}\n"
    assert ("Traceback" in done.err) == (words is BUG)
    assert done.err.endswith("coc: error: this is a bug in coc; please report it with the lines above\n") == (
        words is BUG
    )


def test_a_bug_of_a_plugin_is_a_line_that_says_where(stumble, tmp_path):
    done = stumble()
    place = f"{tmp_path}/stumbling.py:13 in _fall"
    assert (done.code, done.out, done.err) == (4, "", f"{LINE}; raised at {place}\n")
    assert error_of(stumble("--json"))["where"] == place


def test_with_v_there_is_the_traceback_also_before_the_command(coc, stumble, tmp_path):
    for option in ("-v", "--verbose", "-vv", "-v -v"):
        done = stumble(*option.split())
        assert done.code == 4
        assert done.err.startswith("Traceback (most recent call last):\n")
        assert r"KeyError: '\x1b[31mdropped'" in done.err
        assert "\x1b" not in done.err
    path = tmp_path / "stumbling.py"
    done = coc("-v", "run", "-d", "hanoi", "--model", "reference", "--plugin", path, "-x", "stumbling")
    assert "Traceback" in done.err
    assert "Traceback" not in stumble().err  # it ends with the command


def test_a_part_that_cannot_be_made_shows_what_it_came_from(stumble):
    done = stumble(executor="unmade")
    assert "can't provide stumbling:unmade: RuntimeError: no parts; raised at " in done.err
    assert done.err.endswith("stumbling.py:17 in unmade\n")


def test_quiet_leaves_out_notes_and_progress_and_keeps_errors(coc, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("raise RuntimeError('the sky is falling')")
    arguments = ("run", "-d", "hanoi", "-n", 2, "--model", "reference", "--plugin", path)
    loud, quiet = coc(*arguments), coc(*arguments, "-q")
    assert (loud.code, quiet.code) == (0, 0)
    assert loud.err.startswith("coc: note: the plugin 'broken' of broken.py failed to load")
    assert quiet.err == ""
    assert coc("-q", *arguments).err == ""
    assert "solved" in quiet.out
    assert coc("run", "-d", "hanio", "-q").err.startswith("coc: error: unknown domain")


def test_lines_of_an_error_stay_lines(capsys):
    console.error("one\ntwo\x07\x9b")
    assert capsys.readouterr().err == "coc: error: one\ntwo\\x07\\x9b\n"


def test_an_interrupt_that_a_library_turned_into_its_own_error_is_an_interrupt(coc, monkeypatch):
    def turned(*_):
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("generator didn't stop")

    monkeypatch.setattr(job, "choose_problem", turned)
    done = coc("run", "-d", "hanoi", "--model", "reference")
    assert (done.code, done.err) == (130, "coc: error: interrupted\n")
