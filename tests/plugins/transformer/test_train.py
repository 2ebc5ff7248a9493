"""Training: it learns, the same way twice, and says what came out."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from attrs import evolve

from coc_core.data import Pair
from coc_core.errors import StorageError, UsageError
from coc_core.training import TrainingJob, TrainingProgress
from coc_transformer import train as module
from coc_transformer.card import fingerprint
from coc_transformer.data import tokenise
from coc_transformer.model import Decoder
from coc_transformer.presets import choose
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.train import exactness, learning_rate
from coc_transformer.trainer import TransformerTrainer

Job = Callable[..., TrainingJob]


def quietly(progress: TrainingProgress) -> None:
    pass


def test_the_same_seed_gives_the_same_bits(toy_job: Job, toy_checkpoint: Path) -> None:
    torch.manual_seed(99)
    random.seed(99)
    job = toy_job()
    TransformerTrainer().train(job, quietly)
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        assert (job.out / name).read_bytes() == (toy_checkpoint / name).read_bytes()


def test_another_seed_gives_another_model_and_the_callers_random_numbers_stay(toy_job: Job) -> None:
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    weights = []
    for seed in (1, 2):
        job = evolve(toy_job(steps="2"), seed=seed)
        TransformerTrainer().train(job, quietly)
        weights.append((job.out / "model.safetensors").read_bytes())
    assert weights[0] != weights[1]
    assert torch.rand(1) == expected


def test_progress_and_report(toy_job: Job, toy_pairs: tuple[Pair, ...]) -> None:
    seen: list[TrainingProgress] = []
    job = evolve(toy_job(steps="80"), train=toy_pairs[:10], heldout=toy_pairs[10:])
    report = TransformerTrainer().train(job, seen.append)
    assert [progress.step for progress in seen] == list(range(10, 81, 10))
    assert {progress.steps for progress in seen} == {80}
    assert (seen[0].train_exact, seen[0].heldout_exact) == (None, None)
    assert (report.steps, report.train_pairs, report.heldout_pairs) == (80, 10, 2)
    assert seen[-1].train_exact == report.train_exact / 10
    assert seen[-1].heldout_exact == report.heldout_exact / 2


def test_epochs_end_a_training_before_its_steps(toy_job: Job) -> None:
    assert TransformerTrainer().train(toy_job(epochs="3"), quietly).steps == 3  # 12 pairs are one batch of 16


def test_the_rate_warms_up_and_falls_to_nothing() -> None:
    config = choose("small", {"lr": "0.5", "warmup": "10"}).training
    rates = [learning_rate(step, 100, config) for step in range(1, 101)]
    assert rates[9] == max(rates) == 0.5
    assert rates[:10] == sorted(rates[:10])
    assert rates[9:] == sorted(rates[9:], reverse=True)
    assert 0 < rates[-1] < 0.001


def test_the_model_card(toy_checkpoint: Path, toy_pairs: tuple[Pair, ...]) -> None:
    card = (toy_checkpoint / "README.md").read_text()
    for fact in ("    coc train --domain toy\n", "seed 3", "| 12 of 12 |", "| 0 of 0 |", f"`{fingerprint(toy_pairs)}`"):
        assert fact in card
    assert str((toy_checkpoint / "model.safetensors").stat().st_size) in card.replace(",", "")
    assert str(toy_checkpoint) not in card


def test_exactness_counts_whole_targets(toy_checkpoint: Path, toy_pairs: tuple[Pair, ...]) -> None:
    config = choose("small", {"d_model": "16", "layers": "1", "heads": "1", "dropout": "0.5"}).model
    tokenizer = TextTokenizer.train(toy_pairs, 100, 2, single_digits=True)
    model = Decoder(config).train()
    assert exactness(model, tokenise(toy_pairs, tokenizer, config.max_len), torch.device("cpu")) == 0.0
    assert model.training
    assert exactness(model, [], torch.device("cpu")) is None


def test_nothing_to_learn_and_a_diverging_loss_are_usage_errors(toy_job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    job = evolve(toy_job(), train=())
    with pytest.raises(UsageError, match="no pairs to train on"):
        TransformerTrainer().train(job, quietly)
    monkeypatch.setattr(module, "loss_of", lambda logits, labels: logits.sum() * float("nan"))
    with pytest.raises(UsageError, match="the loss at step 10 is nan; lower the learning rate"):
        TransformerTrainer().train(toy_job(), quietly)


def test_the_place_is_checked_before_the_training(toy_job: Job, tmp_path: Path) -> None:
    (tmp_path / "novel.txt").write_text("chapter one")
    with pytest.raises(UsageError, match="is no checkpoint"):
        TransformerTrainer().train(toy_job(tmp_path, steps="10000000"), quietly)


def test_a_full_disk_keeps_the_old_checkpoint(
    toy_job: Job, toy_checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(toy_checkpoint, tmp_path / "toy")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("coc_core.folder.os.fsync", full)
    with pytest.raises(StorageError, match="No space left on device"):
        TransformerTrainer().train(toy_job(folder, steps="1"), quietly)
    assert list(tmp_path.iterdir()) == [folder]
    for path in toy_checkpoint.iterdir():
        assert (folder / path.name).read_bytes() == path.read_bytes()


def test_presets_are_listed() -> None:
    assert {"small", "paper-hanoi", "paper-blocksworld", "paper-pancake"} == set(TransformerTrainer().presets())
