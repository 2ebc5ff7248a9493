"""Single steps of a model: their errors and what they predict, and how long they take."""

from pathlib import Path

import pytest

import coc_core as coc
from coc_core.errors import LimitFault
from coc_paper.tasks import Done
from coc_paper.work import steps
from coc_paper.work.learning import rate


@pytest.fixture
def model(monkeypatch):
    """The needs of a task whose model is the reference model."""
    monkeypatch.setattr(steps, "CHECKPOINT", "reference")
    return {"model": Done({}, Path())}


def test_a_model_without_errors_is_predicted_to_solve_everything(model, tmp_path):
    rows = steps.errors(tmp_path, model, "blocksworld", "pda", "symbolic", sizes="3-4", instances=5, seed=1)
    assert [(row["n"], row["wrong"], row["predicted"]) for row in rows] == [(3, 0, 1.0), (4, 0, 1.0)]
    assert all(row["pairs"] > 5 for row in rows)


def test_each_step_is_timed_but_those_that_are_answered_wrong(model, tmp_path, monkeypatch):
    hanoi = {"domain": "hanoi", "memory": "transcript", "arith": "symbolic", "n": 3}
    run = coc.run("hanoi", 3, memory="transcript", model="reference")
    targets = {step.prompt: step.target for step in run.trace}
    lengths = [len(prompt) for prompt in targets]
    assert [row["characters"] for row in steps.costs(tmp_path, model, **hanoi)] == lengths

    def call_each(_, prompts):
        (prompt,) = prompts
        return [LimitFault("too long") if len(prompt) > 300 else "What?" if len(prompt) < 100 else targets[prompt]]

    monkeypatch.setattr(steps, "call_each", call_each)
    assert min(lengths) < 100 < 300 < max(lengths)
    right = [length for length in lengths if 100 <= length <= 300]
    assert [row["characters"] for row in steps.costs(tmp_path, model, **hanoi)] == right


def test_steps_of_a_training_are_timed_and_nothing_is_kept(tmp_path):
    small = {"d_model": 16, "layers": 1, "heads": 2, "steps": 40, "batch_size": 4, "warmup": 5}
    choices = {"domain": "hanoi", "memory": "tape", "arith": "inline", "sizes": "1-3", "preset": "exact-numbers"}
    found = rate(tmp_path, {}, limit=0.01, **choices, hyperparameters=small)
    assert found["seconds"] * found["steps"] >= 0.01
    assert list(tmp_path.iterdir()) == []
