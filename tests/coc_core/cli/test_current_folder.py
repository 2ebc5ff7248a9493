"""A current folder that was deleted is said in one line, where a relative path is written; all else needs none."""

import os

import pytest

RUN = ("run", "-d", "hanoi", "-n", "2", "--model", "reference")


@pytest.fixture
def gone(tmp_path, monkeypatch):
    """The current folder does not exist any more."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()


def test_a_deleted_current_folder_is_said_in_one_line(coc, refused, gone, tmp_path):
    told = "coc: error: the current folder no longer exists; change to another one\n"
    assert refused(5, *RUN, "--save", "a.run") == told
    assert coc(*RUN, "--save", tmp_path / "whole.run").code == 0


def test_one_that_can_not_be_found_is_named(refused, monkeypatch):
    def getcwd():
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "getcwd", getcwd)
    told = "the current folder can't be found: Permission denied; change to another one"
    assert told in refused(5, *RUN, "--save", "a.run")
