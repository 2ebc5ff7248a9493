"""Whatever stands where a file should be, a command works or is refused at once, in one line, with nothing changed."""

import json
import os
from pathlib import Path

import pytest

from tests.support.failing_syscalls import Failing
from tests.support.for_each import for_each
from tests.support.saved_runs import saved
from tests.support.special_files import KINDS, looks, put

BUILD = ("data", "build", "-d", "hanoi", "-n", "1-3", "-o")
RUN = ("run", "-d", "hanoi", "-n", 2, "--model", "reference")


@pytest.fixture
def run(tmp_path):
    (tmp_path / "runs").mkdir()
    return saved(tmp_path / "runs" / "a.run")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────


@for_each("kind", KINDS)
@for_each(
    ("code", "words"),
    {
        "a recording": (3, ("replay", "it")),
        "a recording that goes on": (3, ("run", "--resume", "it")),
        "a problem": (2, ("run", "-d", "hanoi", "--model", "reference", "--problem", "it")),
        "a plugin": (2, ("plugins", "--plugin", "it")),
        "a card": (3, ("data", "verify", ".")),
    }.values(),
)
def test_a_special_file_is_refused_at_once(refused, tmp_path, monkeypatch, code, words, kind):
    monkeypatch.chdir(tmp_path)
    name = "card.json" if "." in words else "it"
    before = looks(put(tmp_path / name, kind))
    line = refused(code, *words)
    assert "can't read" in line
    assert "Is a directory" in line if kind == "folder" else "it is not a regular file" in line
    assert looks(tmp_path / name) == before
    assert names(tmp_path) == [name]


def test_a_problem_may_come_from_a_pipe_that_is_open(coc):
    """As a shell's `<(command)` gives it: the name of a descriptor."""
    reading, writing = os.pipe()
    os.write(writing, b"n=2 src=1 dst=3\n")
    os.close(writing)
    done = coc("run", "-d", "hanoi", "--model", "reference", "--problem", f"/dev/fd/{reading}", "--json")
    assert (done.code, json.loads(done.out)["n"]) == (0, 2)
    os.close(reading)
    assert coc("run", "-d", "hanoi", "--problem", f"/dev/fd/{reading}").err == (
        f"coc: error: can't read the problem /dev/fd/{reading}: Bad file descriptor\n"
    )


# ── writing ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", KINDS)
def test_a_special_file_is_never_replaced(refused, tmp_path, run, kind):
    path = put(tmp_path / "it", kind)
    before = looks(path)
    for code, words in (
        (5, ("view", run, "-o", path)),
        (2, (*RUN, "--save", path)),
        *(() if kind == "folder" else [(2, (*BUILD, path)), (2, ("new", "domain", "my-puzzle", "-o", path))]),
    ):
        assert str(path) in refused(code, *words)
        assert looks(path) == before
    assert names(tmp_path) == ["it", "runs"]


@pytest.mark.parametrize("place", ["/dev/null", "/dev/stdout"])
def test_a_page_does_not_go_into_a_device(refused, run, place):
    before = looks(Path(place))
    assert "choose another place" in refused(5, "view", run, "-o", place)
    assert looks(Path(place)) == before


@pytest.mark.parametrize(
    "words", [("view", "runs/a.run", "-o"), (*RUN, "--save"), BUILD, ("new", "domain", "odd", "-o")]
)
def test_what_a_broken_link_leads_to_is_not_made(refused, tmp_path, monkeypatch, run, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("nowhere")
    refused(5 if words[0] == "view" else 2, *words, "link")
    assert names(tmp_path) == ["link", "runs"]


WRITERS = {
    "view": ("page", ("view", "runs/a.run", "-o", "page")),
    "run": ("new.run", (*RUN, "--save", "new.run")),
    "build": ("set", (*BUILD, "set")),
    "new": ("odd", ("new", "domain", "odd", "-o", "odd")),
}


@for_each("call", ["os.fsync", "os.open"])
@for_each("number", [0, 2])
@for_each("writer", WRITERS)
def test_what_the_disk_refuses_leaves_all_as_it_was(coc, tmp_path, monkeypatch, writer, number, call):
    monkeypatch.chdir(tmp_path)
    name, words = WRITERS[writer]
    error = PermissionError(13, "Permission denied") if number % 2 else OSError(28, "No space left on device")
    if writer == "view":
        (tmp_path / "runs").mkdir()
        saved(tmp_path / "runs" / "a.run")
        (tmp_path / name).write_text("old")
    elif writer == "build":
        assert coc(*BUILD, name, "--seed", 7).code == 0
    before = {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()}
    failing = Failing(monkeypatch, call, number, error)
    done = coc(*words)
    monkeypatch.undo()
    if failing.calls <= number:
        assert done.code == 0
        return
    assert "Traceback" not in done.err
    if done.code == 0:
        assert number  # a folder that was not flushed, or a scratch folder that could not be removed
        return
    reading = "can't read the run file" in done.err
    assert (done.code, done.err.count("\n"), done.out) == (3 if reading else 5, 1, ""), done.err
    assert os.strerror(error.errno) in done.err
    assert {path: path.read_bytes() for path in sorted(tmp_path.rglob("*")) if path.is_file()} == before


def test_a_newline_in_a_name_leaves_an_error_on_one_line(refused, tmp_path):
    assert "a\\nb" in refused(3, "replay", tmp_path / "a\nb")


def test_what_nobody_expected_the_system_to_refuse_is_no_bug(refused, monkeypatch):
    from coc_view.commands import replay

    def lost(_):
        raise OSError(116, "Stale file handle", "/mnt/it")

    monkeypatch.setattr(replay.RunFile, "open", lost)
    assert refused(5, "replay", "it") == "coc: error: Stale file handle: /mnt/it\n"
    monkeypatch.setattr(replay.RunFile, "open", lambda _: (_ for _ in ()).throw(OSError("odd")))
    assert refused(5, "replay", "it") == "coc: error: OSError: odd\n"
