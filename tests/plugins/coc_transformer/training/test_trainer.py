"""Training: it learns, the same way twice, and says what came out."""

import hashlib
import json
import random
import re
import shutil

import pytest
import torch
from attrs import evolve

from coc_core.errors import StorageError, UsageError
from coc_core.models import Pair, SizeResult, read_config
from coc_learn.trainer import SizeTest, TrainingSet
from coc_transformer.training import hyperparameters as presets, loop as module
from coc_transformer.training.hardware import processor_name
from coc_transformer.training.hyperparameters import choose
from coc_transformer.training.optimise import average_weight, learning_rate
from coc_transformer.training.trainer import TransformerTrainer, fingerprint
from tests.plugins.coc_transformer.conftest import train, weights
from tests.support.for_each import for_each


def test_the_same_seed_gives_the_same_bits(toy_job, toy_checkpoint):
    torch.manual_seed(99)
    random.seed(99)
    job = toy_job()
    train(job)
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        assert (job.out / name).read_bytes() == (toy_checkpoint / name).read_bytes()


def test_another_seed_gives_another_model_and_the_callers_random_numbers_and_threads_stay(toy_job):
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        one, other = (weights(evolve(toy_job(steps="2", dropout="0.1"), seed=seed)) for seed in (1, 2))
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert one != other
    assert torch.rand(1) == expected


def test_progress_and_report(toy_job):
    seen = []
    report = train(toy_job(heldout=2, steps="80"), seen.append)
    assert [progress.step for progress in seen] == list(range(10, 81, 10))
    assert {progress.steps for progress in seen} == {80}
    assert (seen[0].train_exact, seen[0].heldout_exact) == (None, None)
    assert (report.steps, report.train_pairs, report.heldout_pairs) == (80, 10, 2)
    assert seen[-1].train_exact == report.train_exact / 10
    assert seen[-1].heldout_exact == report.heldout_exact / 2


def test_epochs_end_a_training_before_its_steps(toy_job, monkeypatch):
    monkeypatch.setitem(presets.PRESETS, "small", evolve(presets.PRESETS["small"], epochs=3))
    assert train(toy_job()).steps == 3  # 12 pairs are one batch of 16


def test_what_ships_is_the_average_of_the_weights(toy_job):
    assert weights(toy_job(steps="5")) != weights(toy_job(steps="5", ema="0.9"))


def test_the_average_forgets_its_beginning():
    kept = [average_weight(step, 0.99) for step in range(1, 2_000)]
    assert kept == sorted(kept)
    assert kept[0] < 0.2
    assert kept[-1] == 0.99


def test_tests_are_measured_at_the_end_and_stated(toy_job, toy_pairs, toy_checkpoint):
    job = toy_job()
    (one,) = job.training_sets
    wrong = [Pair(prompt, target + "0") for prompt, target in toy_pairs[:2]]
    tests = [SizeTest(7, 2, toy_pairs[:5]), SizeTest(9, 1, [*toy_pairs[:3], *wrong])]
    report = train(evolve(job, training_sets=[evolve(one, tests=tests)]))
    assert read_config(toy_checkpoint)[0].tested == {}
    assert report.tested == {"toy/stack": [SizeResult(7, 2, 5, 5), SizeResult(9, 1, 5, 3)]}
    assert (job.out / "model.safetensors").read_bytes() == (toy_checkpoint / "model.safetensors").read_bytes()
    identity, _ = read_config(job.out)
    assert identity.tested == {"toy/stack": tuple(report.tested["toy/stack"])}
    said = "`toy/stack`: n=7: all of 5 targets exact; n=9: 2 of 5 targets wrong"
    assert f"| sizes it was tested on | {said} |" in (job.out / "README.md").read_text()


def test_the_card_counts_the_tested_prompts_that_were_learned(toy_job, toy_pairs):
    job = toy_job(steps="1")
    learned = TrainingSet("toy/stack", toy_pairs[:4], tests=[SizeTest(n, 1, toy_pairs[2:]) for n in (7, 9)])
    train(evolve(job, training_sets=[learned]))
    card = (job.out / "README.md").read_text()
    assert "  - tested on other sizes: 10 distinct prompts, 2 of them in the training\n" in card


def test_the_rate_warms_up_and_falls_to_nothing_with_a_cooldown_at_the_end_only():
    for preset, falls, last in (("small", 9, 0.001), ("program", 80, 0.5 / 20)):
        config = choose(preset, {"lr": "0.5", "warmup": "10"} | ({"cooldown": "20"} if preset == "program" else {}))
        rates = [learning_rate(step, 100, config) for step in range(1, 101)]
        assert rates[:10] == sorted(rates[:10])
        assert max(rates) == 0.5
        assert set(rates[9 : falls + 1]) == {0.5}
        assert rates[falls:] == sorted(rates[falls:], reverse=True)
        assert 0 < rates[-1] <= last
    assert rates[-1] == last


def test_a_training_ends_some_steps_after_all_pairs_are_exact(toy_job, monkeypatch):
    reports = []
    job = evolve(toy_job(), preset="program", overrides={"d_model": "32", "layers": "1", "cooldown": "25"})
    report = train(job, reports.append)
    exact_at = report.steps - 25
    assert exact_at % 20 == 0
    assert report.train_exact == report.train_pairs == 12
    assert next(each.train_exact for each in reports if each.step == exact_at) == 1
    assert {each.steps for each in reports if each.step < exact_at} == {10_000}

    def stop(progress):
        if progress.step > exact_at:
            raise ZeroDivisionError

    monkeypatch.setattr(module, "SNAPSHOT_SECONDS", 0)
    again = evolve(job, out=job.out.with_name("again"))
    with pytest.raises(ZeroDivisionError):
        train(again, stop)
    train(evolve(again, resume=True))
    weights = "model.safetensors"
    assert (again.out / weights).read_bytes() == (job.out / weights).read_bytes()


def test_the_model_card(toy_checkpoint, toy_pairs):
    card = (toy_checkpoint / "README.md").read_text()
    facts = ("    coc train --domain toy\n", "seed 3", "| 12 of 12 |", "| 0 of 0 |", f"`{fingerprint(toy_pairs)}`")
    for fact in (
        *facts,
        "`toy/stack`: twelve numbers",
        f", CPU ({processor_name()}), 1 thread, float32 |",
        "| sizes it was trained on | unknown |",
        ", positions absolute, ",
    ):
        assert fact in card
    assert str(toy_checkpoint) not in card


def test_a_fingerprint_is_that_of_the_list_as_json(toy_pairs):
    for pairs in (toy_pairs, (), [Pair('"\n', "é")]):
        text = json.dumps(list(pairs), separators=(",", ":"))
        assert fingerprint(pairs) == hashlib.sha256(text.encode()).hexdigest()


def test_the_metrics_are_in_the_checkpoint(toy_checkpoint):
    lines = [json.loads(line) for line in (toy_checkpoint / "metrics.jsonl").read_text().splitlines()]
    reports = [line for line in lines if "loss" in line]
    assert [line["step"] for line in reports] == list(range(10, 121, 10))
    assert set(reports[0]) == {"step", "loss", "lr", "grad_norm", "tokens", "tokens_per_second", "seconds"}
    assert [line["step"] for line in lines if "train_exact" in line] == list(range(20, 121, 20))
    assert [line["tokens"] for line in reports] == sorted(line["tokens"] for line in reports)


LONG = SizeTest(7, 1, [Pair("SUCC n=1" + "1" * 200, "2")])


@for_each(
    ("training_sets", "fault"),
    [
        ([], "no pairs to train on"),
        ([TrainingSet("a", ())], "no pairs to train on in a"),
        ([TrainingSet("a", [Pair("p", "t")]), TrainingSet("b", ())], "no pairs to train on in b"),
        ([TrainingSet("a", [Pair("p", "t")])] * 2, "a dialect comes twice: a, a"),
        ([TrainingSet(f"d{number}", [Pair("p", "t")]) for number in range(17)], "17 dialects are more than the 16"),
        ([TrainingSet("a", [Pair("p", "t")])], "made for the tokens of these pairs: 'vocab' must be >= 8"),
        ([TrainingSet("a", [Pair("SUCC n=" + 40 * "1", "2")])], "'max_len', which is 32; the longest has"),
        (
            [TrainingSet("a", [Pair("SUCC n=1", "2")], tests=[LONG])],
            "1 of 2 pairs have .*; train with max_len=212 or more",
        ),
    ],
)
def test_training_sets_that_make_no_sense_are_usage_errors(toy_job, training_sets, fault):
    job = evolve(toy_job(), training_sets=training_sets)
    with pytest.raises(UsageError, match=fault):
        train(job)
    assert not list(job.out.parent.iterdir())


def test_exactness_can_be_measured_by_a_sample(toy_job):
    job = toy_job(heldout=4, steps="1", final_pairs="3")
    report = train(job)
    assert (report.train_pairs, report.heldout_pairs) == (3, 3)
    card = (job.out / "README.md").read_text()
    assert re.search(r"training pairs predicted exactly \| \d of 3 \|", card)
    assert "**Data.** 12 pairs of prompt and target." in card
    said = "all of them, or 3 of each half and dialect, were compared"
    assert said in " ".join(card.split())


def test_a_diverging_loss_is_a_usage_error_and_leaves_nothing_behind(toy_job, monkeypatch):
    real = module.token_losses
    monkeypatch.setattr(module, "token_losses", lambda *given: real(*given) * float("nan"))
    monkeypatch.setattr(module, "SNAPSHOT_SECONDS", 0)
    job = toy_job()
    with pytest.raises(UsageError, match="the loss at step 10 is nan; lower the learning rate"):
        train(job)
    assert not list(job.out.parent.iterdir())


def test_the_folder_is_checked_before_the_training(toy_job, tmp_path):
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "novel.txt").write_text("chapter one")
    with pytest.raises(UsageError, match="is not a checkpoint"):
        train(toy_job(folder, steps="10000000"))
    assert list(tmp_path.iterdir()) == [folder]


def test_a_full_disk_keeps_the_old_checkpoint_and_the_new_weights(toy_job, toy_checkpoint, tmp_path, monkeypatch):
    folder = shutil.copytree(toy_checkpoint, tmp_path / "toy")

    def full(path):
        if ".training" not in str(path):
            raise OSError(28, "No space left on device")

    job = toy_job(folder, steps="20")
    monkeypatch.setattr("coc_core.storage.writing.sync", full)
    with pytest.raises(StorageError, match="No space left on device"):
        train(job)
    for path in toy_checkpoint.iterdir():
        assert (folder / path.name).read_bytes() == path.read_bytes()
    monkeypatch.undo()
    seen = []
    train(evolve(job, resume=True), seen.append)
    assert seen == []  # all steps were made
    assert list(tmp_path.iterdir()) == [folder]
    assert (folder / "model.safetensors").read_bytes() == weights(toy_job(steps="20"))


def test_the_hyperparameters_of_a_preset_are_told():
    found = TransformerTrainer().hyperparameters("paper", {"batch_size": "32"})
    assert (found["d_model"], found["lr"], found["batch_size"]) == (384, 3e-4, 32)
    assert round(found["parameters"] / 1e6, 1) == 10.8
    with pytest.raises(UsageError, match="unknown hyperparameter 'size'"):
        TransformerTrainer().hyperparameters("small", {"size": "1"})
