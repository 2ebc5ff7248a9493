"""Working folders of trainings that were cut off, genuine and damaged; they are used by resuming the training.

A working folder lies beside the checkpoint on the disk of the person who trains, and comes from nobody else. So it is
damaged without new sums only: somebody who may write there may as well change the training.
"""

import shutil

from attrs import frozen

from coc_transformer.snapshots import WorkingFolder
from tests.support import file_edits, forked_commands, interrupted_trainings
from tests.support.damage_verdicts import Damage, Wrong, coc

NAME = "snapshots"
_STEPS = 3  # after which a training is cut off


@frozen
class Genuine:
    """A working folder: its files, and the training that it belongs to."""

    place: tuple[str, str]
    files: dict[str, bytes]


def make(folder):
    """The genuine working folders, one of each training."""
    interrupted_trainings.warm()
    interrupted_trainings.note_often()
    found = []
    for number, place in enumerate(interrupted_trainings.PLACES):
        out = folder / f"{number}" / "result"
        out.parent.mkdir()
        child = forked_commands.start(interrupted_trainings.command(place, out), _cut_off)
        assert forked_commands.wait(child) == forked_commands.KILLED
        working = out.with_name("result.training")
        found.append(Genuine(place, {path.name: path.read_bytes() for path in working.iterdir()}))
        interrupted_trainings.uninterrupted(place)  # which children that are forked later have, too
    return found


def _cut_off():
    """Prepare a child that is killed after it has stored some snapshots."""
    store, stored = WorkingFolder.store, []

    def counted(self, *arguments):
        store(self, *arguments)
        stored.append(arguments)
        if len(stored) == _STEPS:
            forked_commands.kill()

    WorkingFolder.store = counted


def damage(genuines, kind, folder, rng):
    """Write a damaged working folder to `folder`/result.training."""
    genuine = rng.choice(genuines)
    working = folder / "result.training"
    working.mkdir()
    for name, data in genuine.files.items():
        (working / name).write_bytes(data)
    name = rng.choice(list(genuine.files))
    data = genuine.files[name]
    if kind == "flip":
        new, text = file_edits.flip(data, rng)
    elif rng.random() < 0.15:
        other = rng.choice(genuines)
        new, text = other.files.get(name, b""), f"that of {other.place[0]}"
    elif name.endswith(".json") and rng.random() < 0.8:
        new, text = file_edits.change_json(data, rng)
    else:
        new, text = file_edits.change_bytes(data, rng)
    (working / name).write_bytes(new)
    return Damage(genuine, f"{genuine.place[0]}: {name}", text)


def use(damage, folder):
    """The verdict of resuming the training."""
    place, out = damage.genuine.place, folder / "result"
    done = coc(*interrupted_trainings.command(place, out), "--resume")
    if done.refused:
        return "refused"
    if interrupted_trainings.files(out) != interrupted_trainings.uninterrupted(place):
        raise Wrong("it is resumed to another checkpoint")
    shutil.rmtree(out)
    return "equal"
