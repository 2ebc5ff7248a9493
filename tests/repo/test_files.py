"""What lies in the repository."""

import re

import pytest

from tests.support.source_files import FILES, ROOT, needs_git

PRIVATE = re.compile(rb"(?<![\w.])/(?:home|Users|work|root)/\w")


@needs_git
def test_the_repository_has_files():
    assert ROOT / "pyproject.toml" in FILES


@needs_git
def test_no_file_names_a_folder_of_somebodys_machine():
    assert [str(path) for path in FILES if PRIVATE.search(path.read_bytes())] == []


@needs_git
def test_no_file_could_hide_a_pickle():
    assert [str(path) for path in FILES if path.suffix in {".pkl", ".pickle", ".pt", ".pth", ".bin", ".npy"}] == []


@needs_git
@pytest.mark.parametrize("folder", ["coc_core", "plugins"])
def test_no_module_is_long(folder):
    modules = [path for path in FILES if path.suffix == ".py" and ROOT / folder in path.parents]
    assert [str(path) for path in modules if len(path.read_text("utf-8").splitlines()) > 400] == []
