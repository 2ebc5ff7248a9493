"""A training that is cut off, anywhere and by anything, goes on to the very weights that it would have come to."""

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from coc_core.errors import ArtefactError, CocError, StorageError, UsageError
from coc_core.models import Pair
from coc_learn.trainer import TrainingJob, TrainingProgress, TrainingSet
from coc_transformer.snapshots import working_folder
from coc_transformer.training import loop
from coc_transformer.training.hyperparameters import Hyperparameters
from coc_transformer.training.trainer import TransformerTrainer
from tests.support.special_files import KINDS, put
from tests.support.tensorboard_events import scalars

Job = Callable[..., TrainingJob]

# What makes a resumption hard: an average, dropout, draws by bucket, batches that span two passes, several snapshots,
# pairs that grow while it goes on.
HARD = {"ema": "0.9", "dropout": "0.1", "bucket_share": "0.4", "prioritised_replay": "0.2", "loss_probes": "3"}
HARD |= {"curriculum": "0.6", "steps": "12"}
# With momentum instead of moments, and offsets drawn for each sequence.
HARDER = {"optimizer": "muon", "tokens": "exact", "positions": "structural", "digit_positions": "9"}
FILES = ("config.json", "model.safetensors", "tokenizer.json")


@pytest.fixture(autouse=True, scope="module")
def reported_every_second_step() -> Iterator[None]:
    """Six reports, each with a snapshot, in a training of twelve steps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "REPORT_INTERVAL", 2)
        patch.setattr(loop, "SNAPSHOT_SECONDS", 0)
        patch.setattr(Hyperparameters, "eval_interval", 4)
        yield


class Cut(Exception):
    """What ends a training in these tests."""


def quietly(progress: TrainingProgress) -> None:
    pass


def cut_at(step: int, error: type[BaseException] = Cut) -> Callable[[TrainingProgress], None]:
    def report(progress: TrainingProgress) -> None:
        if progress.step == step:
            raise error

    return report


def beside(job: TrainingJob) -> Path:
    return job.out.with_name(job.out.name + ".training")


def contents(job: TrainingJob) -> dict[str, bytes]:
    assert not beside(job).exists()
    return {name: (job.out / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module", params=[HARD, {**HARD, **HARDER}], ids=["adamw", "muon"])
def choices(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(request.param)


@pytest.fixture(scope="module")
def never_cut(toy_job: Job, choices: dict[str, str]) -> dict[str, bytes]:
    job = toy_job(**choices)
    TransformerTrainer().train(job, quietly)
    return contents(job)


@pytest.fixture(scope="module")
def calm(toy_job: Job) -> dict[str, bytes]:
    """What comes of a job that nothing happens to."""
    job = toy_job(**HARD)
    TransformerTrainer().train(job, quietly)
    return contents(job)


@pytest.fixture(scope="module")
def cut_once(toy_job: Job) -> TrainingJob:
    job = toy_job(**HARD)
    with pytest.raises(Cut):
        TransformerTrainer().train(job, cut_at(6))
    return evolve(job, resume=True)


@pytest.fixture
def cut(cut_once: TrainingJob, tmp_path: Path) -> TrainingJob:
    """A job that was interrupted after its second snapshot, that of step 4."""
    job = evolve(cut_once, out=tmp_path / "cut" / cut_once.out.name)
    shutil.copytree(beside(cut_once), beside(job))
    return job


@pytest.mark.parametrize("steps", [(6,), (2, 2, 4, 10, 12)])
def test_a_resumed_training_ends_with_the_same_bits(
    toy_job: Job, choices: dict[str, str], never_cut: dict[str, bytes], steps: tuple[int, ...]
) -> None:
    job = toy_job(**choices)
    for step in steps:
        with pytest.raises(Cut):
            TransformerTrainer().train(job, cut_at(step))
        job = evolve(job, resume=True)
    TransformerTrainer().train(job, quietly)
    assert contents(job) == never_cut


@pytest.mark.parametrize("steps", [(6,), (2, 2, 10)])
def test_the_log_has_each_step_once(toy_job: Job, tmp_path: Path, steps: tuple[int, ...]) -> None:
    pytest.importorskip("tensorboard")
    job = evolve(toy_job(**HARD), tensorboard=tmp_path / "logs")
    for step in steps:
        with pytest.raises(Cut):
            TransformerTrainer().train(job, cut_at(step))
        assert scalars(tmp_path / "logs")["loss"][-1][0] == step
        job = evolve(job, resume=True)
    TransformerTrainer().train(job, quietly)
    found = scalars(tmp_path / "logs", purge_orphaned_data=False)
    assert [step for step, _ in found["loss"]] == [step for step, _ in found["learning_rate"]] == [*range(2, 14, 2)]
    assert [step for step, _ in found["exact/training_pairs"]] == [4, 8, 12]
    lines = [json.loads(line) for line in (job.out / "metrics.jsonl").read_text().splitlines()]
    assert found["loss"] == [(line["step"], pytest.approx(line["loss"])) for line in lines if "loss" in line]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stores_where_it_is(
    toy_job: Job, calm: dict[str, bytes], number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "SNAPSHOT_SECONDS", 1_000)
    job, seen = toy_job(**HARD), list[int]()
    before = signal.getsignal(number)

    def report(progress: TrainingProgress) -> None:
        seen.append(progress.step)
        if progress.step == 4:
            os.kill(os.getpid(), number)

    with pytest.raises(KeyboardInterrupt):
        TransformerTrainer().train(job, report)
    assert signal.getsignal(number) is before
    assert seen in ([2, 4], [2, 4, 5])  # at once, or after the step under way
    TransformerTrainer().train(evolve(job, resume=True), quietly)
    assert contents(job)["model.safetensors"] == calm["model.safetensors"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_is_ignored_stays_ignored(toy_job: Job, number: signal.Signals) -> None:
    before, seen = signal.signal(number, signal.SIG_IGN), list[signal.Handlers]()
    try:
        TransformerTrainer().train(toy_job(steps="10"), lambda _: seen.append(signal.getsignal(number)))
    finally:
        signal.signal(number, before)
    assert set(seen) == {signal.SIG_IGN}


def test_a_second_ctrl_c_is_immediate(toy_job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    def report(progress: TrainingProgress) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("not immediate")

    with pytest.raises(KeyboardInterrupt):
        TransformerTrainer().train(toy_job(**HARD), report)


def test_what_was_cut_off_is_not_lost_by_a_new_training(cut: TrainingJob) -> None:
    before = sorted(path.name for path in beside(cut).iterdir())
    with pytest.raises(
        UsageError, match=r"toy.training contains an interrupted training; resume it with --resume, or del"
    ):
        TransformerTrainer().train(evolve(cut, resume=False), quietly)
    assert sorted(path.name for path in beside(cut).iterdir()) == before
    TransformerTrainer().train(cut, quietly)


def test_with_nothing_stored_it_begins(toy_job: Job) -> None:
    seen: list[TrainingProgress] = []
    job = evolve(toy_job(steps="2"), resume=True)
    beside(job).mkdir()
    (beside(job) / "state-30.safetensors.part").write_bytes(b"torn")
    TransformerTrainer().train(job, seen.append)
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
def test_another_job_is_not_resumed(cut: TrainingJob, change: dict[str, Any]) -> None:
    if "overrides" in change:
        change = {"overrides": {**cut.overrides, "lr": "0.02"}}
    with pytest.raises(
        UsageError, match="training with other pairs or hyperparameters; repeat its command with --resume"
    ):
        TransformerTrainer().train(evolve(cut, **change), quietly)
    TransformerTrainer().train(cut, quietly)  # it is still there


def test_a_finished_training_is_not_resumed(toy_job: Job, toy_checkpoint: Path) -> None:
    job = evolve(toy_job(toy_checkpoint, steps="200"), resume=True)
    with pytest.raises(UsageError, match="toy is finished; train anew without --resume"):
        TransformerTrainer().check(job)


def test_where_it_goes_may_change(cut: TrainingJob, calm: dict[str, bytes]) -> None:
    job = evolve(cut, out=cut.out.with_name("moved"))
    beside(cut).rename(beside(job))
    TransformerTrainer().train(job, quietly)
    assert contents(job)["model.safetensors"] == calm["model.safetensors"]


def snapshot(change: Callable[[dict[str, object]], object]) -> Callable[[Path], object]:
    def apply(folder: Path) -> None:
        values = json.loads((folder / "snapshot.json").read_text())
        change(values)
        (folder / "snapshot.json").write_text(json.dumps(values))

    return apply


def state(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    """Change the tensors' file."""

    def apply(folder: Path) -> None:
        (path,) = folder.glob("state-*")
        path.write_bytes(change(path.read_bytes()))

    return apply


DAMAGES = {
    "a flipped bit": (
        state(lambda data: data[:-1] + bytes([data[-1] ^ 1])),
        "does not have the SHA-256 that snapshot.json gives",
    ),
    "a torn tail": (state(lambda data: data[:-5]), "does not have the SHA-256 that snapshot.json gives"),
    "no file": (lambda folder: next(folder.glob("state-*")).unlink(), "can't read"),
    "no metrics": (lambda folder: (folder / "metrics.jsonl").unlink(), "is ahead of the training"),
    "another key": (snapshot(lambda it: it.update(colour=1)), "unknown key"),
    "another step": (snapshot(lambda it: it.update(step=it["step"] - 1)), "were changed"),
    "other metrics": (
        lambda folder: (folder / "metrics.jsonl").write_bytes(
            (folder / "metrics.jsonl").read_bytes().replace(b"1", b"2")
        ),
        "were changed",
    ),
    "a step too far": (snapshot(lambda it: it.update(step=13)), "is ahead of the training"),
    "a way out": (snapshot(lambda it: it.update(state="../../x")), "'state' must match"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_snapshot_is_an_artefact_error(cut: TrainingJob, name: str) -> None:
    damage, fault = DAMAGES[name]
    damage(beside(cut))
    with pytest.raises(ArtefactError, match=rf"{fault}.*; delete .*toy.training and train from the beginning"):
        TransformerTrainer().train(cut, quietly)
    assert beside(cut).exists()


def test_two_trainings_in_one_folder_are_refused(cut: TrainingJob) -> None:
    with working_folder(cut.out, "any", resume=True), pytest.raises(UsageError, match="another process is training in"):
        TransformerTrainer().train(cut, quietly)
    TransformerTrainer().train(cut, quietly)


def test_what_is_not_a_folder_is_left_alone(toy_job: Job) -> None:
    job = evolve(toy_job(steps="10"), resume=True)
    beside(job).write_text("mine")
    with pytest.raises(UsageError, match="exists and is not a folder"):
        TransformerTrainer().train(job, quietly)
    assert beside(job).read_text() == "mine"


def test_a_folder_that_cant_be_made_is_a_storage_error(toy_job: Job, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StorageError, match=r"can't make the working folder of .*: Not a directory"),
        working_folder(tmp_path / "file" / "toy", "any", resume=False),
    ):
        pass


FULL = OSError(28, "No space left on device")


@pytest.mark.slow
@pytest.mark.parametrize("call", [0, 2, 7])
@pytest.mark.parametrize("name", ["os.fsync", "Path.open", "Path.replace", "Path.unlink"])
def test_a_full_disk_keeps_the_last_snapshot(
    toy_job: Job, calm: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, name: str, call: int
) -> None:
    job = toy_job(**HARD)
    owner, method = (os, "fsync") if name == "os.fsync" else (Path, name.removeprefix("Path."))
    real, calls = getattr(owner, method), 0

    def failing(*arguments: object, **options: object) -> object:
        nonlocal calls
        if str(beside(job)) in str(arguments[0]) or owner is os:
            calls += 1
            if calls > call:  # from then on nothing works
                raise FULL
        return real(*arguments, **options)

    monkeypatch.setattr(owner, method, failing)
    error: CocError | None = None
    try:
        TransformerTrainer().train(job, quietly)
    except StorageError as raised:
        error = raised
    monkeypatch.undo()
    if error is not None:
        assert "No space left on device" in str(error)
        stored = (beside(job) / "snapshot.json").exists()
        if "is intact" in error.message:
            assert stored
            assert error.remedy == "free some space and resume with --resume"
        TransformerTrainer().train(evolve(job, resume=True), quietly)
    assert contents(job) == calm


@pytest.mark.parametrize("kind", KINDS)
def test_a_special_file_in_place_of_the_metrics_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    with working_folder(tmp_path / "it", "any", resume=False) as folder:
        put(tmp_path / "it.training" / "metrics.jsonl", kind)
        reader = (
            os.open(tmp_path / "it.training" / "metrics.jsonl", os.O_RDONLY | os.O_NONBLOCK) if kind == "pipe" else 0
        )
        with pytest.raises(StorageError, match="can't write the metrics in"):
            folder.note(step=1)
        with pytest.raises((StorageError, ArtefactError), match="can't read"):
            folder.subsampled()
        if reader:
            os.close(reader)


@pytest.mark.parametrize("resume", [False, True])
def test_a_second_training_is_refused_before_its_pairs_are_made(toy_job: Job, resume: bool) -> None:
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
