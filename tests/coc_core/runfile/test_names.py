"""A run file may have any name that a file system allows, and what a killed process leaves is removed by the next."""

import os

import pytest

from coc_core.runfile import database
from tests.support.for_each import for_each
from tests.support.special_files import die, killed

NAMES = [
    b"\xff.run",
    b"a?b",
    b"a%41",
    b"a\nb",
    b"-x",
    b":memory:",
    b"n" * 247,
]


@for_each("name", NAMES)
def test_a_run_of_any_name_is_recorded_read_shown_and_continued(coc, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(name)
    chosen = f"--save={name}"
    done = coc("run", "-d", "hanoi", "-n", 2, "--model", "reference", chosen, "--json")
    assert done.code == 0, done.err
    assert os.listdir() == [name]  # noqa: PTH208 — so it is in bytes too
    for words in (
        ("replay", "--json", "--", name),
        ("view", "-o", "page.html", "--json", "--", name),
        ("run", f"--resume={name}", "--json"),
    ):
        done = coc(*words)
        assert done.code == 0, (words, done.err)


@pytest.mark.parametrize("length", [248, 255, 300])
def test_a_name_with_no_room_for_a_log_beside_it_is_refused_before_the_run(refused, tmp_path, monkeypatch, length):
    monkeypatch.chdir(tmp_path)
    line = refused(5, "run", "-d", "hanoi", "-n", 2, "--model", "reference", "--save", "n" * length)
    assert line.endswith(": File name too long\n")
    assert not list(tmp_path.iterdir())


def test_a_process_killed_while_it_makes_a_run_file_leaves_nothing_for_long(coc, tmp_path, monkeypatch):
    words = ("run", "-d", "hanoi", "-n", 2, "--model", "reference")
    path = tmp_path / "it.run"

    def begin(name):
        monkeypatch.setattr(database.os, name, die)
        coc(*words, "--save", path)

    killed(lambda: begin("link"))
    assert [found.name for found in tmp_path.iterdir()] == [".it.run.coc-scratch"]
    assert coc(*words, "--save", path).code == 0
    assert list(tmp_path.iterdir()) == [path]
    (tmp_path / ".it.run.coc-scratch").mkdir()  # as if that process had been killed a moment later
    assert coc("run", "--resume", path, "--max-steps", 10**6).code == 0
    assert coc("view", path, "-o", tmp_path / "page.html").code == 0
