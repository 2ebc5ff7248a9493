"""A recorded run, made once, and a copy of it that a test may spoil."""

import shutil

import pytest

from tests.support.recorded_runs import tape


@pytest.fixture(scope="session")
def good(tmp_path_factory):
    path = tmp_path_factory.mktemp("good") / "run"
    tape(path)
    return path


@pytest.fixture
def run(good, tmp_path):
    return shutil.copy(good, tmp_path / "run")
