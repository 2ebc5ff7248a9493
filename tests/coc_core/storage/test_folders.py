"""A folder appears whole or not at all, whichever call fails."""

from pathlib import Path

import pytest

from coc_core.errors import StorageError, UsageError
from coc_core.storage import fresh_folder, write_folder
from tests.support.failing_syscalls import Failing
from tests.support.for_each import for_each

FILES = {"config.json": b"{}", "b": b"new"}


def test_a_new_folder_and_its_parents_are_made(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    write_folder(folder, FILES, marker="config.json")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES
    assert list(folder.parent.iterdir()) == [folder]


def test_an_older_folder_is_replaced_whole(tmp_path: Path) -> None:
    folder = tmp_path / "it"
    write_folder(folder, {"config.json": b"old", "stale": b""}, marker="config.json")
    write_folder(folder, FILES, marker="config.json")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES
    assert list(tmp_path.iterdir()) == [folder]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    write_folder(tmp_path / "it", FILES, marker="config.json")


def test_other_files_and_folders_are_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("file", "link", "."):
        with pytest.raises(UsageError, match="already exists"):
            write_folder(tmp_path / name, FILES, marker="config.json")
    assert (tmp_path / "file").read_text() == "mine"


@for_each("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@for_each("call", range(6))
@for_each("name", ["os.fsync", "Path.rename", "Path.mkdir"])
@for_each("old", [True, False])
def test_the_old_folder_survives_whichever_call_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, call: int, old: bool, error: BaseException
) -> None:
    folder, before = tmp_path / "it", {"config.json": b"old"}
    if old:
        write_folder(folder, before, marker="config.json")
    failing = Failing(monkeypatch, name, call, error)
    try:
        write_folder(folder, FILES, marker="config.json")
        expected: dict[str, bytes] | None = FILES
    except (StorageError, KeyboardInterrupt):
        expected = before if old else None
    monkeypatch.undo()
    assert (expected == FILES) == (failing.calls <= call)
    assert [path.name for path in tmp_path.iterdir()] == (["it"] if expected is not None else [])
    assert expected is None or {path.name: path.read_bytes() for path in folder.iterdir()} == expected


def test_a_replaced_folder_must_be_of_the_same_kind(tmp_path: Path) -> None:
    write_folder(tmp_path / "it", FILES, marker="config.json")
    with (
        pytest.raises(UsageError, match="already exists and is not a dataset"),
        fresh_folder(tmp_path / "it", marker="card.json", kind="dataset"),
    ):
        pass


def test_a_block_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def half() -> None:
        with fresh_folder(tmp_path / "it", marker="config.json") as fresh:
            (fresh / "half").write_bytes(b"written")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_no_file_system_takes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="File name too long"):
        write_folder(tmp_path / ("x" * 300), FILES, marker="config.json")
