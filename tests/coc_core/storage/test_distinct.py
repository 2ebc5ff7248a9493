import os

import pytest

from coc_core.errors import UsageError
from coc_core.storage import check_distinct
from coc_core.storage.files import same_file
from tests.support.for_each import for_each


@pytest.fixture
def places(tmp_path):
    (tmp_path / "here").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "soft").symlink_to("here")
    (tmp_path / "dangling").symlink_to("new")
    os.link(tmp_path / "here", tmp_path / "hard")
    return tmp_path


@for_each(
    ("one", "other"),
    [
        ("here", "here"),
        ("here", "soft"),
        ("here", "hard"),
        ("soft", "hard"),
        ("new", "new"),
        ("new", "dangling"),
        ("new", "folder/../new"),
        ("nowhere/new", "nowhere/./new"),
    ],
)
def test_one_file_under_two_names_is_refused(places, one, other):
    assert same_file(places / one, places / other)
    with pytest.raises(UsageError, match=r"--plan and --save name the same file, .*; choose another file"):
        check_distinct({"--plan": [places / one], "--save": [places / other]}, {})
    with pytest.raises(UsageError, match="--plan and --resume name the same file"):
        check_distinct({"--plan": [places / one]}, {"--resume": [places / "else", places / other]})


@pytest.mark.parametrize(("one", "other"), [("here", "new"), ("new", "newer"), ("here", "folder/here"), ("a\0", "b")])
def test_other_files_are_not(places, one, other):
    assert not same_file(places / one, places / other)
    check_distinct({"--plan": [places / one]}, {"--resume": [places / other]})


def test_files_of_one_option_and_files_that_are_only_read_may_be_the_same(places):
    here = places / "here"
    check_distinct({"--save": [places / "new", places / "new"]}, {"--problem": [here], "--plugin": [here]})
