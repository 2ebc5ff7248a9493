"""A recorded run, made once, and a copy of it that a test may spoil."""

import shutil

import pytest

from coc_core.runfile import database
from tests.support.recorded_runs import tape


@pytest.fixture(scope="session")
def good(tmp_path_factory):
    path = tmp_path_factory.mktemp("good") / "run"
    tape(path, "tape", "inline")
    return path


@pytest.fixture
def cut_off(good, tmp_path):
    """A run file with a log beside it, as a killed process leaves it."""
    shutil.copy(good, tmp_path / "live")
    with database.opened(tmp_path / "live") as connection:
        connection.execute("UPDATE run SET outcome = outcome")
        for end in ("", "-wal"):
            shutil.copy(tmp_path / f"live{end}", tmp_path / f"run{end}")
    (tmp_path / "live").unlink()
    return tmp_path / "run"


@pytest.fixture
def run(good, tmp_path):
    return shutil.copy(good, tmp_path / "run")
