"""The log of a training, read with TensorBoard's own reader."""

import os
import sys
from pathlib import Path

import pytest

from coc_core.errors import StorageError, UsageError
from coc_core.extras import install_command
from coc_transformer.snapshots.event_log import EventLog, check_event_log
from tests.support.tensorboard_events import scalars, times

pytest.importorskip("tensorboard")

NOTED = [
    {"step": 10, "loss": 2.5, "lr": 0.25, "grad_norm": None, "seconds": 3.0},
    {"step": 15, "train_exact": 0.5, "heldout_exact": None},
    {"step": 20, "loss": 1.5, "lr": 0.125, "seconds": 6.5},
]
LOGGED = {
    "loss": [(10, 2.5), (20, 1.5)],
    "learning_rate": [(10, 0.25), (20, 0.125)],
    "exact/training_pairs": [(15, 0.5)],
}


def logged(folder: Path, training: str = "one", seconds: float = 0.0, resumed: int = 0) -> EventLog:
    log = EventLog(folder, training, NOTED[:resumed], seconds)
    for values in NOTED[resumed:]:
        log.add(values)
    return log


def test_the_log_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    log = logged(tmp_path / "new" / "logs")
    assert scalars(tmp_path / "new" / "logs") == LOGGED
    log.add({"step": 25, "heldout_exact": 0.75})
    assert scalars(tmp_path / "new" / "logs") == {**LOGGED, "exact/held_out_pairs": [(25, 0.75)]}
    log.close()


def test_what_is_not_a_number_of_the_log_is_not_in_it(tmp_path: Path) -> None:
    log = EventLog(tmp_path, "one")
    log.add({"step": 1, "tokens": 7})
    log.close()
    assert scalars(tmp_path) == {}


@pytest.mark.parametrize("resumed", [0, 1, 2, 3])
def test_a_training_that_is_resumed_has_each_step_once(tmp_path: Path, resumed: int) -> None:
    for _ in range(3):
        log = logged(tmp_path, seconds=6.5, resumed=resumed)
        log.close()
        assert len(list(tmp_path.iterdir())) == 1
        assert scalars(tmp_path, purge_orphaned_data=False) == LOGGED
        assert times(tmp_path, "loss") == [0, pytest.approx(3.5)]


def test_a_reader_of_the_earlier_file_forgets_it(tmp_path: Path) -> None:
    """As when a process is killed between the new file and the removal of the old one."""
    logged(tmp_path).close()
    (earlier,) = tmp_path.iterdir()
    content = earlier.read_bytes()
    logged(tmp_path, resumed=1).close()
    earlier.write_bytes(content)
    assert len(list(tmp_path.iterdir())) == 2
    assert scalars(tmp_path) == LOGGED


@pytest.mark.parametrize("name", ["events.out.tfevents.000001.other", "events.out.tfevents.1700000000.host.1.0"])
def test_the_log_of_another_training_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("theirs")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="has a TensorBoard log already; choose another folder, or continue with"):
        check_event_log(tmp_path, resume=False)
    check_event_log(tmp_path, resume=True)
    with pytest.raises(UsageError, match="has a TensorBoard log of another training; choose another folder"):
        EventLog(tmp_path, "one")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "notes.txt"])


def test_a_check_changes_nothing(tmp_path: Path) -> None:
    check_event_log(tmp_path / "new" / "logs", resume=False)
    (tmp_path / "tfevents").mkdir()
    check_event_log(tmp_path / "logs", resume=False)
    assert [path.name for path in tmp_path.iterdir()] == ["tfevents"]


@pytest.mark.parametrize("folder", ["file", "file/logs", "a\0b"])
def test_what_can_not_be_written_is_refused_before(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(
        StorageError, match=r"can't write the TensorBoard log .*(Not a directory|File exists|null byte)"
    ):
        check_event_log(tmp_path / folder, resume=False)


def test_a_folder_that_can_not_be_made_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StorageError, match=r"can't write the TensorBoard log .*: Not a directory"):
        EventLog(tmp_path / "file" / "logs", "one")


def test_a_full_disk_is_a_storage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.open

    def full(path: Path, mode: str) -> object:
        return real(Path("/dev/full"), "wb") if "tfevents" in path.name else real(path, mode)

    log = logged(tmp_path)
    with Path("/dev/full").open("wb") as nowhere:
        os.dup2(nowhere.fileno(), log._file.fileno())
    with pytest.raises(StorageError, match=r"can't write the TensorBoard log .*: No space left on device"):
        log.add(NOTED[0])
    log.close()
    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(StorageError, match=r"can't write the TensorBoard log .*: No space left on device"):
        logged(tmp_path)


def test_without_tensorboard_its_command_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard.summary.writer.record_writer", None)
    for act in (lambda: check_event_log(tmp_path, resume=False), lambda: EventLog(tmp_path / "new", "one")):
        with pytest.raises(UsageError, match="a TensorBoard log needs tensorboard") as caught:
            act()  # type: ignore[no-untyped-call]
        assert caught.value.remedy == install_command("tensorboard")
    assert list(tmp_path.iterdir()) == []
