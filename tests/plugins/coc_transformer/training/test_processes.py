"""Micro-batches and several processes: the mathematics of one padded batch."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import safetensors.torch
import torch
from torch.nn import functional

from coc_core.errors import UsageError
from coc_core.models import Pair, on_device
from coc_learn.trainer import TrainingJob
from coc_transformer.batches import Costs, collate, cut, tokenise
from coc_transformer.model import Decoder
from coc_transformer.tokenizer import TextTokenizer
from coc_transformer.training.loop import TokenLosses
from coc_transformer.training.presets import choose
from coc_transformer.training.processes import Ranks, gradient_sync, ranks
from coc_transformer.training.trainer import TransformerTrainer
from tests.support.for_each import for_each

Job = Callable[..., TrainingJob]

CHILD = """
import json, os, sys
from coc_core.models import Pair, on_device
from coc_core.errors import CocError
from coc_core.models import on_device
from coc_learn.trainer import TrainingSet
from coc_core.models import on_device
from coc_learn.trainer import TrainingJob
from coc_transformer.training.trainer import TransformerTrainer
from pathlib import Path
pairs, outs, overrides = json.loads(sys.argv[1])
train, heldout = [Pair(*pair) for pair in pairs[:10]], [Pair(*pair) for pair in pairs[10:]]
training_sets = [TrainingSet("toy/stack", train, heldout, source="twelve numbers")]
for out in outs:
    job = TrainingJob("transformer", training_sets, Path(out), "small", 3, overrides, "coc train --domain toy")
    seen = []
    try:
        report = TransformerTrainer().train(job, lambda progress: seen.append(progress.step))
        said = [report.steps, report.train_exact, report.train_pairs, report.heldout_exact, report.heldout_pairs]
    except CocError as error:
        said = str(error)
    Path(f"{out}.{os.environ['RANK']}.json").write_text(json.dumps([said, seen]))
"""


def two_processes(jobs: list[TrainingJob], pairs: tuple[Pair, ...], folder: Path) -> list[list[list[object]]]:
    """Run jobs in two processes, one after the other; gives what each process got and what was reported to it."""
    script = folder / "child.py"
    script.write_text(CHILD)
    document = json.dumps([pairs, [str(job.out) for job in jobs], dict(jobs[0].overrides)])
    done = subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", script, document],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return [[json.loads(Path(f"{job.out}.{rank}.json").read_text()) for rank in (0, 1)] for job in jobs]


@pytest.mark.slow
def test_two_processes_train_the_model_of_one_and_an_error_of_the_first_is_the_others_too(
    toy_job: Job, toy_pairs: tuple[Pair, ...], tmp_path: Path
) -> None:
    choices = {
        "steps": "20",
        "ema": "0.9",
        "bucket_share": "0.5",
        "prioritised_replay": "0.3",
        "loss_probes": "5",
        "batch_size": "7",
        "lr": "0.003",
    }
    alone = toy_job(heldout=2, **choices)
    report = TransformerTrainer().train(alone, lambda progress: None)
    together = toy_job(tmp_path / "toy", heldout=2, **choices)
    (tmp_path / "mine").write_text("mine")
    refused, (first, second) = two_processes([toy_job(tmp_path / "mine", **choices), together], toy_pairs, tmp_path)
    assert [what for what, _ in refused] == [
        f"{tmp_path / 'mine'} already exists and is not a folder; choose another place"
    ] * 2
    assert first == [[20, report.train_exact, 10, report.heldout_exact, 2], [10, 20]]
    assert second == [first[0], []]  # the same report, and nothing was reported to it
    one, two = (safetensors.torch.load_file(job.out / "model.safetensors") for job in (alone, together))
    for name, tensor in one.items():
        torch.testing.assert_close(two[name], tensor, rtol=1e-3, atol=1e-4)
    assert ", 2 processes |" in (together.out / "README.md").read_text()
    assert not (tmp_path / "toy.training").exists()


@pytest.mark.slow
def test_of_two_commands_one_reports(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "coc_core"]
    command += ["train", "-d", "hanoi", "-n", "1-3", "--set", "steps=2", "--json", "--out", str(tmp_path / "new")]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-3_000:]
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["steps"] == 2
    assert "coc:" not in done.stderr
    assert "Warning" not in done.stderr


@pytest.mark.parametrize(
    "environment",
    [{"WORLD_SIZE": "two"}, {"WORLD_SIZE": "2"}, {"WORLD_SIZE": "2", "RANK": "-1", "LOCAL_RANK": "0"}],
    ids=str,
)
def test_an_environment_that_makes_no_sense_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    for name in ("RANK", "LOCAL_RANK"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match="start several processes with torchrun"), ranks():
        pass


def test_one_process_trains_on_the_requested_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COC_DEVICE", raising=False)
    with on_device("cpu"), ranks() as alone:
        assert str(alone.device) == "cpu"
    with (
        pytest.raises(UsageError, match="device 'abacus': torch finds no such device here"),
        on_device("abacus"),
        ranks(),
    ):
        pass


def test_more_processes_than_pairs_of_a_batch_are_refused(toy_job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coc_transformer.training.trainer.ranks", lambda: _Three())
    with pytest.raises(UsageError, match="a batch of 2 pairs can't be shared by 3 processes; start fewer"):
        TransformerTrainer().train(toy_job(batch_size="2"), lambda progress: None)


class _Three:
    """Three processes, of which only this one is there."""

    def __enter__(self) -> Ranks:
        return Ranks(0, 3, torch.device("cpu"))

    def __exit__(self, *error: object) -> None:
        pass


@for_each("loss", ["target", "all"])
@for_each("costs", [Costs(0, 1), Costs(5, 60), Costs(0, 10_000)])
def test_loss_and_gradient_are_those_of_one_padded_batch(loss: str, costs: Costs) -> None:
    pairs = [Pair(f"SUCC n={n} {'x' * (n % 7)}", f"PUSH n={n + 1}") for n in range(0, 3_000, 97)]
    tokenizer = TextTokenizer.train(pairs, 100, 2, tokens="digits")
    config = choose("small", {"d_model": "16", "layers": "2", "heads": "2", "vocab": str(tokenizer.size)})
    examples = tokenise({0: pairs}, tokenizer)
    torch.manual_seed(0)
    model = Decoder(config.model, tokenizer.kinds()).double()
    model.initialise()
    rows = examples.by_length(np.arange(len(examples)))
    predicted = examples.count_predicted(rows, loss)
    total, slices = 0.0, cut(examples.lengths[rows] - 1, costs)
    assert len(slices) > 1 or costs.most > 60
    for part in slices:
        share = _token_losses(model, collate(examples, rows[part], loss)) / predicted
        share.backward()  # type: ignore[no-untyped-call]
        total += share.item()
    found = [parameter.grad for parameter in model.parameters()]
    model.zero_grad()
    batch = collate(examples, rows, loss)
    labels = torch.full((batch.input_ids.numel(),), -100)
    labels[batch.positions] = batch.labels
    whole = functional.cross_entropy(model(batch.input_ids).flatten(0, 1), labels)
    whole.backward()  # type: ignore[no-untyped-call]
    assert total == pytest.approx(whole.item(), rel=1e-12)
    for gradient, parameter in zip(found, model.parameters(), strict=True):
        torch.testing.assert_close(gradient, parameter.grad, rtol=1e-5, atol=1e-9)


def _token_losses(model: Decoder, batch: object) -> torch.Tensor:
    result: torch.Tensor = TokenLosses(model)(batch, None).sum()
    return result


def test_alone_nothing_is_shared() -> None:
    alone = Ranks(0, 1, torch.device("cpu"))
    model = torch.nn.Linear(1, 1)
    assert alone.first
    assert alone.share(np.arange(5)).tolist() == [0, 1, 2, 3, 4]
    assert alone.from_first(lambda: "made") == "made"
    assert alone.data_parallel(model) is model
    assert alone.minimum(0.5) == 0.5
    alone.copy_from_first([torch.zeros(1)])
    with gradient_sync(model, enabled=False):
        pass


def test_the_shares_of_all_processes_are_everything_once_and_alike_in_length() -> None:
    shares = [Ranks(rank, 3, torch.device("cpu")).share(np.arange(20)) for rank in range(3)]
    assert sorted(np.concatenate(shares)) == list(range(20))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
