"""The log of a training, read with TensorBoard's own reader."""

import os
import sys
from pathlib import Path

import pytest

from coc_core.errors import StorageError, UsageError
from coc_core.extras import install_command
from coc_transformer.files.snapshot import EventLog, check_event_log
from tests.support.tensorboard_events import scalars

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


def logged(folder, resumed=0):
    log = EventLog(folder, "one", NOTED[resumed - 1]["step"] if resumed else 0)
    for values in NOTED[resumed:]:
        log.add(values)
    return log


def test_the_log_can_be_read_while_it_is_written(tmp_path):
    log = logged(tmp_path / "new" / "logs")
    assert scalars(tmp_path / "new" / "logs") == LOGGED
    log.add({"step": 25, "heldout_exact": 0.75, "tokens": 7})
    assert scalars(tmp_path / "new" / "logs") == {**LOGGED, "exact/held_out_pairs": [(25, 0.75)]}
    log.close()


@pytest.mark.parametrize("resumed", [0, 1, 2, 3])
def test_a_training_that_is_resumed_has_each_step_once(tmp_path, resumed):
    logged(tmp_path).close()
    for _ in range(3):
        logged(tmp_path, resumed).close()
        assert scalars(tmp_path) == LOGGED


@pytest.mark.parametrize("name", ["events.out.tfevents.000001.other", "events.out.tfevents.1700000000.host.1.0"])
def test_the_log_of_another_training_is_left_alone(tmp_path, name):
    (tmp_path / name).write_text("theirs")
    (tmp_path / "notes.txt").write_text("mine")
    for act in (lambda: check_event_log(tmp_path), lambda: EventLog(tmp_path, "one", 0)):
        with pytest.raises(UsageError, match="has a TensorBoard log already; choose another folder for it"):
            act()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "notes.txt"])


@pytest.mark.parametrize("folder", ["file", "file/logs"])
def test_a_folder_that_can_not_be_made_is_a_storage_error(tmp_path, folder):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StorageError, match=r"can't write the TensorBoard log .*(Not a directory|File exists)"):
        EventLog(tmp_path / folder, "one", 0)


def test_a_full_disk_is_a_storage_error(tmp_path):
    log = logged(tmp_path)
    with Path("/dev/full").open("wb") as nowhere:
        os.dup2(nowhere.fileno(), log._file.fileno())
    with pytest.raises(StorageError, match=r"can't write the TensorBoard log .*: No space left on device"):
        log.add(NOTED[0])
    log.close()


def test_without_tensorboard_its_command_is_given(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorboard.summary.writer.record_writer", None)
    with pytest.raises(UsageError, match="a TensorBoard log needs tensorboard") as caught:
        check_event_log(tmp_path)
    assert caught.value.remedy == install_command("tensorboard")
