"""A current folder that was deleted is said in one line, whatever the command; help needs none."""

from pathlib import Path

import pytest

from coc_core import run as solve
from coc_core.errors import StorageError
from tests.support.every_command import EVERY_COMMAND
from tests.support.for_each import for_each

RUN = ("run", "-d", "hanoi", "-n", "2", "--model", "reference")
TRIED = [
    (*RUN, "--save", "new.run"),
    RUN,
    ("run", "--resume", "a.run"),
    ("trace", "-d", "hanoi"),
    ("validate", "plan.txt", "-d", "hanoi"),
    ("certify", "-d", "hanoi", "--out", "hanoi.certificate"),
    ("plan", "64.plan"),
    ("eval", "-d", "hanoi"),
    ("replay", "a.run"),
    ("diff", "a.run", "b.run"),
    ("view", "a.run", "-o", "page"),
    ("data", "build", "-d", "hanoi", "-o", "set"),
    ("data", "verify", "set"),
    ("train", "-d", "hanoi", "-o", "out"),
    ("push", "hanoi-pda", "me/hanoi-pda"),
    ("plugins", "--plugin", "mine.py"),
    ("new", "domain", "my-puzzle"),
    ("doctor", "hanoi"),
    ("check", "hanoi"),
    ("fuzz", "-x", "cached"),
    ("serve", "--model", "hanoi-pda"),
    ("prompt", "-d", "hanoi"),
    ("reproduce",),
]


@pytest.fixture
def gone(tmp_path, monkeypatch):
    """The current folder does not exist any more."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()


@for_each("words", TRIED)
def test_a_deleted_current_folder_is_said_in_one_line(refused, gone, words):
    assert refused(5, *words) == "coc: error: the current folder no longer exists; change to another one\n"


def test_each_command_is_tried_above():
    assert {words[0] for words in TRIED} == {name.partition(" ")[0] for name in EVERY_COMMAND}


@pytest.mark.parametrize("words", [("--help",), ("run", "--help"), ("--version",)])
def test_help_needs_no_current_folder(coc, gone, words):
    assert coc(*words).code == 0


def test_a_current_folder_that_can_not_be_found_is_named(refused, monkeypatch):
    def cwd():
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "cwd", cwd)
    assert refused(5, *RUN) == (
        "coc: error: the current folder can't be found: Permission denied; change to another one\n"
    )


def test_the_front_door_needs_one_for_relative_paths_alone(gone, tmp_path):
    whole = tmp_path / "whole.run"
    assert solve("hanoi", 2, model="reference", save=whole).solved
    for act in (
        lambda: solve("hanoi", 2, model="reference", save="a.run"),
        lambda: solve("hanoi", 2, model="reference").view("page.html"),
    ):
        with pytest.raises(StorageError, match="the current folder no longer exists"):
            act()
