"""A training that is cut off, anywhere and by anything, goes on to the very weights that it would have come to."""

import json
import os
import shutil
import signal

import pytest
from attrs import evolve

from coc_core.errors import ArtefactError, StorageError, UsageError
from coc_core.models import Pair
from coc_learn.trainer import TrainingSet
from coc_transformer.files.snapshot import working_folder
from coc_transformer.training import loop
from coc_transformer.training.hyperparameters import Hyperparameters
from coc_transformer.training.trainer import TransformerTrainer
from tests.plugins.coc_transformer.conftest import train
from tests.support.checksums import seal

# What makes a resumption hard: an average, dropout, draws by bucket, batches that span two passes, several snapshots,
# pairs that grow while it goes on.
HARD = {"ema": "0.9", "dropout": "0.1", "bucket_share": "0.4", "prioritised_replay": "0.2"}
HARD |= {"curriculum": "0.6", "steps": "12"}
# With momentum instead of moments, and offsets drawn for each sequence.
HARDER = {"optimizer": "muon", "tokens": "exact", "positions": "structural", "digit_positions": "9"}
CHOICES = {"adamw": HARD, "muon": {**HARD, **HARDER}}
FILES = ("config.json", "model.safetensors", "tokenizer.json")


@pytest.fixture(autouse=True, scope="module")
def reported_every_second_step(toy_checkpoint):
    """Six reports, each with a snapshot, in a training of twelve steps; not in that of the toy checkpoint."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "REPORT_INTERVAL", 2)
        patch.setattr(loop, "SNAPSHOT_SECONDS", 0)
        patch.setattr(Hyperparameters, "eval_interval", 4)
        yield


class Cut(Exception):
    """What ends a training in these tests."""


def cut_at(step, error=Cut):
    def report(progress):
        if progress.step == step:
            raise error

    return report


def beside(job):
    return job.out.with_name(job.out.name + ".training")


def contents(job):
    assert not beside(job).exists()
    return {name: (job.out / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def never_cut(toy_job):
    """What comes of jobs that nothing happens to, by optimiser."""
    jobs = {kind: toy_job(**choices) for kind, choices in CHOICES.items()}
    for job in jobs.values():
        train(job)
    return {kind: contents(job) for kind, job in jobs.items()}


@pytest.fixture(scope="module")
def cut_once(toy_job):
    job = toy_job(**HARD)
    with pytest.raises(Cut):
        train(job, cut_at(6))
    return evolve(job, resume=True)


@pytest.fixture
def cut(cut_once, tmp_path):
    """A job that was interrupted after its second snapshot, that of step 4."""
    job = evolve(cut_once, out=tmp_path / "cut" / cut_once.out.name)
    shutil.copytree(beside(cut_once), beside(job))
    return job


@pytest.mark.parametrize("steps", [(6,), (2, 2, 4, 10, 12)])
@pytest.mark.parametrize("kind", ["adamw", "muon"])
def test_a_resumed_training_ends_with_the_same_bits(toy_job, never_cut, kind, steps):
    job = toy_job(**CHOICES[kind])
    for step in steps:
        with pytest.raises(Cut):
            train(job, cut_at(step))
        job = evolve(job, resume=True)
    train(job)
    assert contents(job) == never_cut[kind]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stores_where_it_is(toy_job, never_cut, number, monkeypatch):
    monkeypatch.setattr(loop, "SNAPSHOT_SECONDS", 1_000)
    job, seen = toy_job(**HARD), []
    before = signal.getsignal(number)

    def report(progress):
        seen.append(progress.step)
        if progress.step == 4:
            os.kill(os.getpid(), number)

    with pytest.raises(KeyboardInterrupt):
        train(job, report)
    assert signal.getsignal(number) is before
    assert seen in ([2, 4], [2, 4, 5])  # at once, or after the step under way
    train(evolve(job, resume=True))
    assert contents(job)["model.safetensors"] == never_cut["adamw"]["model.safetensors"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_is_ignored_stays_ignored(toy_job, number):
    before, seen = signal.signal(number, signal.SIG_IGN), []
    try:
        train(toy_job(steps="10"), lambda _: seen.append(signal.getsignal(number)))
    finally:
        signal.signal(number, before)
    assert set(seen) == {signal.SIG_IGN}


def test_a_second_ctrl_c_is_immediate(toy_job, monkeypatch):
    def report(progress):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("not immediate")

    with pytest.raises(KeyboardInterrupt):
        train(toy_job(**HARD), report)


def test_what_was_cut_off_is_not_lost_by_a_new_training(cut):
    before = sorted(path.name for path in beside(cut).iterdir())
    with pytest.raises(
        UsageError, match=r"toy.training contains an interrupted training; resume it with --resume, or del"
    ):
        train(evolve(cut, resume=False))
    assert sorted(path.name for path in beside(cut).iterdir()) == before
    train(cut)


def test_with_nothing_stored_it_begins(toy_job):
    seen = []
    job = evolve(toy_job(steps="2"), resume=True)
    beside(job).mkdir()
    train(job, seen.append)
    assert [progress.step for progress in seen] == [2]
    assert contents(job)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 4},
        {"overrides": {"lr": "0.02"}},
        {"training_sets": [TrainingSet("toy/stack", [Pair("PUSH n=1", "SUCC n=2")])]},
        {"training_sets": [TrainingSet("toy/stack", [Pair("PUSH n=1", "SUCC n=2")], [Pair("PUSH n=3", "SUCC n=4")])]},
        {"preset": "exact"},
    ],
    ids=str,
)
def test_another_job_is_not_resumed(cut, change):
    if "overrides" in change:
        change = {"overrides": {**cut.overrides, "lr": "0.02"}}
    with pytest.raises(
        UsageError, match="training with other pairs or hyperparameters; repeat its command with --resume"
    ):
        train(evolve(cut, **change))
    train(cut)  # it is still there


def test_a_finished_training_is_not_resumed(toy_job, toy_checkpoint):
    job = evolve(toy_job(toy_checkpoint, steps="200"), resume=True)
    with pytest.raises(UsageError, match="toy is finished; train anew without --resume"):
        TransformerTrainer().check(job)


def test_where_it_goes_may_change(cut, never_cut):
    job = evolve(cut, out=cut.out.with_name("moved"))
    beside(cut).rename(beside(job))
    train(job)
    assert contents(job)["model.safetensors"] == never_cut["adamw"]["model.safetensors"]


def progress(change):
    """Change how far the training had come, with new sums."""

    def apply(folder):
        values = json.loads((folder / "progress.json").read_text())
        change(values)
        (folder / "progress.json").write_text(json.dumps(values))
        seal(folder)

    return apply


def flipped(name):
    def apply(folder):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))

    return apply


DAMAGES = {
    "another state": (flipped("state.safetensors"), "was changed: its SHA-256 is not the one in SHA256SUMS"),
    "other metrics": (flipped("metrics.jsonl"), "was changed"),
    "other progress": (flipped("progress.json"), "was changed"),
    "no state": (lambda folder: (folder / "state.safetensors").unlink(), "can't read"),
    "no metrics": (lambda folder: (folder / "metrics.jsonl").unlink(), "can't read"),
    "another key": (progress(lambda it: it.update(colour=1)), "unknown key"),
    "a step too far": (progress(lambda it: it.update(step=13)), "is ahead of the training"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_snapshot_is_an_artefact_error(cut, name):
    damage, fault = DAMAGES[name]
    damage(beside(cut) / "snapshot")
    with pytest.raises(ArtefactError, match=rf"{fault}.*; delete .*toy.training and train from the beginning"):
        train(cut)
    assert beside(cut).exists()


def test_what_is_not_a_folder_is_left_alone(toy_job):
    job = evolve(toy_job(steps="10"), resume=True)
    beside(job).write_text("mine")
    with pytest.raises(UsageError, match="exists and is not a folder"):
        train(job)
    assert beside(job).read_text() == "mine"


def test_a_folder_that_cant_be_made_is_a_storage_error(toy_job, tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StorageError, match=r"can't make the working folder of .*: Not a directory"),
        working_folder(tmp_path / "file" / "toy", "any", resume=False),
    ):
        pass


def test_a_full_disk_keeps_the_last_snapshot(toy_job, never_cut, monkeypatch):
    """`test_damaged_snapshots` has full disks at any moment."""
    job, real = toy_job(**HARD), os.fsync

    def full(progress):
        def failing(_):
            raise OSError(28, "No space left on device")

        if progress.step == 4:
            monkeypatch.setattr(os, "fsync", failing)

    with pytest.raises(StorageError, match="No space left on device; the one before is intact; free some space and re"):
        train(job, full)
    monkeypatch.setattr(os, "fsync", real)
    train(evolve(job, resume=True))
    assert contents(job) == never_cut["adamw"]


@pytest.mark.parametrize("resume", [False, True])
def test_a_second_training_is_refused_before_its_pairs_are_made(toy_job, resume):
    job = evolve(toy_job(), resume=resume, training_sets=[])
    trainer = TransformerTrainer()
    trainer.check(job)
    with (
        working_folder(job.out, "any", resume=False),
        pytest.raises(UsageError, match="another process is training in"),
    ):
        trainer.check(job)
    beside(job).mkdir()
    if resume:
        trainer.check(job)
    else:
        with pytest.raises(UsageError, match="contains an interrupted training"):
            trainer.check(job)
