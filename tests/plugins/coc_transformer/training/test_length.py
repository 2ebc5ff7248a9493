"""A training that is resumed with more steps: what it goes on from, what its card says, and what can't be lengthened."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import evolve

from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_learn.trainer import TrainingJob, TrainingProgress, TrainingSet
from coc_transformer.training import loop
from coc_transformer.training.optimise import learning_rate
from coc_transformer.training.presets import choose
from coc_transformer.training.trainer import TransformerTrainer

Job = Callable[..., TrainingJob]
FEW = {"steps": "8", "warmup": "4", "ema": "0.9", "optimizer": "muon", "prioritised_replay": "0.2"}


class Cut(Exception):
    """What ends a training in these tests."""


@pytest.fixture(autouse=True, scope="module")
def snapshots_at_every_second_step() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "REPORT_INTERVAL", 2)
        patch.setattr(loop, "SNAPSHOT_SECONDS", 0)
        yield


def train(job: TrainingJob, until: int = 0) -> None:
    def report(progress: TrainingProgress) -> None:
        if progress.step == until:
            raise Cut

    if until:
        with pytest.raises(Cut):
            TransformerTrainer().train(job, report)
    else:
        TransformerTrainer().train(job, report)


def longer(job: TrainingJob, steps: int, **changes: str) -> TrainingJob:
    return evolve(job, overrides={**job.overrides, "steps": str(steps), **changes}, resume=True)


def rates(folder: Path) -> dict[int, float]:
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return {line["step"]: line["lr"] for line in lines if "lr" in line}


def result(job: TrainingJob) -> tuple[bytes, ...]:
    return tuple((job.out / name).read_bytes() for name in ("config.json", "model.safetensors", "tokenizer.json"))


@pytest.fixture(scope="module")
def finished(toy_job: Job) -> TrainingJob:
    job = toy_job(**FEW)
    train(job)
    return job


@pytest.fixture
def copied(finished: TrainingJob, tmp_path: Path) -> TrainingJob:
    return evolve(finished, out=shutil.copytree(finished.out, tmp_path / finished.out.name))


@pytest.mark.parametrize("again", [0, 10])
def test_an_interrupted_training_goes_on_with_its_optimisers(toy_job: Job, again: int) -> None:
    found = []
    for cut in (0, again):
        job = toy_job(**FEW)
        train(job, until=6)  # the snapshot is that of step 4
        if cut:
            train(longer(job, 12), until=cut)
        train(longer(job, 12))
        config = choose("small", longer(job, 12).overrides, seed=3)
        old = evolve(config, steps=8)
        rate = {step: learning_rate(step, *((8, old) if step <= 4 else (12, config))) for step in range(2, 14, 2)}
        assert rates(job.out) == pytest.approx(rate)
        words = "steps 1 to 4 as of 8; steps 5 to 12 as of 12 (the optimisers' state was kept)"
        assert f"| schedule, counted in steps of the whole | {words} |" in (job.out / "README.md").read_text()
        found.append(result(job))
    assert found[0] == found[1]


@pytest.mark.parametrize("cut", [0, 12])
def test_a_finished_training_goes_on_from_what_was_saved(copied: TrainingJob, tmp_path: Path, cut: int) -> None:
    job = longer(copied, 16)
    if cut:
        train(job, until=cut)
        assert result(copied) == result(job)  # it is replaced at the end only
    train(job)
    config = choose("small", job.overrides, seed=3)
    rate = {step: learning_rate(step, 16, config) * min(1, (step - 8) / 4) for step in range(10, 18, 2)}
    assert rates(job.out) == pytest.approx(rate)
    card = (job.out / "README.md").read_text()
    assert "steps 1 to 8 as of 8; steps 9 to 16 as of 16 (from the saved weights, with new optimisers" in card
    assert f"from which it was initialised\n\n### A transformer for {job.training_sets[0].dialect}" in card
    other = evolve(job, out=shutil.copytree(copied.out, tmp_path / "other" / copied.out.name, dirs_exist_ok=True))
    assert not (other.out.parent / f"{other.out.name}.training").exists()


def test_however_it_is_cut_off_it_comes_to_the_same_bits(finished: TrainingJob, tmp_path: Path) -> None:
    found = []
    for number, cuts in enumerate([(), (12, 14), (10,)]):
        out = shutil.copytree(finished.out, tmp_path / str(number) / finished.out.name)
        job = longer(evolve(finished, out=out), 16)
        for cut in cuts:
            train(job, until=cut)
        train(job)
        found.append(result(job))
    assert found[0] == found[1] == found[2]


def test_what_is_cut_off_before_the_first_snapshot_is_lengthened_all_the_same(copied: TrainingJob) -> None:
    (copied.out.parent / f"{copied.out.name}.training").mkdir()
    train(longer(copied, 16))
    assert "steps 9 to 16 as of 16" in (copied.out / "README.md").read_text()


@pytest.mark.parametrize(
    ("steps", "changes", "reason"),
    [
        (8, {}, "is finished: it has made 8 steps; lengthen it with --set steps=N, where N is more than 8"),
        (4, {}, "is finished: it has made 8 steps"),
        (16, {"lr": "0.02"}, "was trained with lr=0.01, and only steps can change"),
        (16, {"d_model": "16"}, "was trained with d_model=32, and only steps can change"),
    ],
)
def test_what_cannot_be_lengthened(copied: TrainingJob, steps: int, changes: dict[str, str], reason: str) -> None:
    before, job = result(copied), longer(copied, steps, **changes)
    for attempt in (TransformerTrainer().check, train):
        with pytest.raises(UsageError, match=reason):
            attempt(job)
    assert result(copied) == before
    assert list(copied.out.parent.iterdir()) == [copied.out]


def test_other_pairs_are_no_longer_training(copied: TrainingJob) -> None:
    (of,) = copied.training_sets
    others = TrainingSet(of.dialect, [*of.train, Pair("SUCC n=1", "PUSH n=2")], of.heldout)
    with pytest.raises(UsageError, match="was trained on other pairs; train anew without --resume, or with --init"):
        train(evolve(longer(copied, 16), training_sets=[others]))
    assert list(copied.out.parent.iterdir()) == [copied.out]


def test_an_interrupted_training_is_not_made_shorter_than_it_is(toy_job: Job) -> None:
    job = toy_job(**FEW)
    train(job, until=6)
    with pytest.raises(UsageError, match="has made 4 steps, and is to make 3; resume it with more steps"):
        train(longer(job, 3))
    with pytest.raises(UsageError, match="contains a training with other pairs or hyperparameters"):
        train(longer(job, 12, lr="0.02"))
    train(longer(job, 8))
    assert "schedule" not in (job.out / "README.md").read_text()
