"""A training may be cut off at any moment, and comes to the same checkpoint when it is resumed (`benchmarks/kills.py` does
this thousands of times); but it is not resumed from a damaged snapshot.

A working folder lies beside the checkpoint on the disk of the person who trains, and comes from nobody else. So it is
damaged without new sums only: somebody who may write there may as well change the training.
"""

import pytest
import torch

from coc_transformer.files.snapshot import WorkingFolder
from coc_transformer.training import loop
from coc_transformer.training.hyperparameters import Hyperparameters
from tests.support import damage, forked_commands, interrupted_trainings

PLACES = {place[0] + place[1]: place for place in interrupted_trainings.PLACES}


class Snapshots(damage.Kind):
    """Working folders of trainings that were cut off; they are used by resuming the training."""

    sums = False

    def make(self, folder):
        interrupted_trainings.warm()
        interrupted_trainings.note_often()
        for name, place in PLACES.items():
            child = forked_commands.start(interrupted_trainings.command(place, folder / name), _cut_off)
            assert forked_commands.wait(child) == forked_commands.KILLED
            yield name, {path.name: path.read_bytes() for path in (folder / f"{name}.training" / "snapshot").iterdir()}

    def put(self, path, name, data, sealed):
        (path / name).write_bytes(data)

    def use(self, folder, genuine):
        place = PLACES[genuine.name]
        (folder / "result.training").mkdir()
        (folder / "a").rename(folder / "result.training" / "snapshot")
        if damage.coc(*interrupted_trainings.command(place, folder / "result"), "--resume") is None:
            return {"resume": None}
        return {"resume": interrupted_trainings.files(folder / "result")}


def _cut_off():
    """Prepare a child that is killed after it has stored three snapshots."""
    store, stored = WorkingFolder.store, []

    def counted(self, *arguments):
        store(self, *arguments)
        stored.append(arguments)
        if len(stored) == 3:
            forked_commands.kill()

    WorkingFolder.store = counted


@pytest.mark.slow
def test_no_damaged_snapshot_is_resumed_to_another_checkpoint(tmp_path, monkeypatch):
    for name in ("REPORT_INTERVAL", "SNAPSHOT_SECONDS", "MOST_MEASURED"):
        monkeypatch.setattr(loop, name, getattr(loop, name))  # `make` sets it, and it is set back afterwards
    monkeypatch.setattr(Hyperparameters, "eval_interval", Hyperparameters.eval_interval)
    threads = torch.get_num_threads()
    try:
        verdicts, wrong = damage.survey(Snapshots(), tmp_path, 40)
    finally:
        torch.set_num_threads(threads)
    assert wrong == [], "\n".join(wrong)
    assert verdicts.keys() == {"refused", "harmless"}


@pytest.fixture(autouse=True)
def threads():
    """Torch is set to one thread before it is forked_commands."""
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.slow
@pytest.mark.parametrize("place", interrupted_trainings.PLACES, ids=" ".join)
@pytest.mark.parametrize("number", [0, 7])  # which begin, over all places, with each of the ways
def test_a_training_survives_being_cut_off(tmp_path, place, number):
    forked_commands.survive(
        interrupted_trainings, place, tmp_path / "checkpoint", forked_commands.seeded(f"{place} {number}")
    )
