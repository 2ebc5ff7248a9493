import pytest

from coc_core.errors import ArtefactError
from coc_core.storage import read_bytes


def test_a_file_may_have_its_greatest_size_and_no_more(tmp_path):
    path = tmp_path / "it"
    path.write_bytes(b"x" * 1_000)
    assert read_bytes(path, 1_000) == read_bytes(path, 2_000) == b"x" * 1_000
    with pytest.raises(ArtefactError, match=r"^.*it is larger than 999 bytes$"):
        read_bytes(path, 999)


@pytest.mark.parametrize(("name", "reason"), [("none", "No such file or directory"), (".", "Is a directory")])
def test_what_can_not_be_read_is_named(tmp_path, name, reason):
    with pytest.raises(ArtefactError, match=f"^can't read .*: {reason}$"):
        read_bytes(tmp_path / name, 10)
