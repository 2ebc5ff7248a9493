"""What tasks do: runs of the reference model, single steps of a model, the time of a training's step."""

import re
from collections import defaultdict
from itertools import chain
from pathlib import Path

import pytest

import coc_core as coc
from coc_core.errors import LimitFault
from coc_core.plugin import Registry
from coc_core.setting import Setting
from coc_learn.datasets import DatasetSpec, HoldOutBy, divided_pairs, teacher_pairs
from coc_paper.tasks import Done
from coc_paper.work import steps
from coc_paper.work.learning import rate
from coc_paper.work.reference import growth, isolated, pairs, renumbered

SETTING = Setting.of(Registry.installed(), "hanoi", "tape", "inline")
NUMBER = re.compile(r"(\S+?[ =\[]|from |to |disk )(-?[0-9]+)")


def runs(*sizes):
    return [list(teacher_pairs(SETTING, [SETTING.domain.problem(n)])) for n in sizes]


def in_words(pair):
    """A target whose numbers are replaced by where they come from in its prompt."""
    given = {name: int(text) for name, text in re.findall(r"(\w+)=(-?[0-9]+)", pair.prompt)}
    pegs = {given[name]: name for name in ("src", "dst", "aux") if name in given}

    def word(found):
        before, number = found[1], int(found[2])
        if before in ("src=", "dst=", "aux=", "from ", "to "):
            return before + pegs[number]
        if before in ("n=", "d=", "disk "):
            return f"{before}disk{number - given.get('n', given.get('d')):+}"
        return f"{before}prev" if number == given["prev"] else f"{before}NEXT_ID{number - given['NEXT_ID']:+}"

    return NUMBER.sub(word, pair.target)


def test_prompts_that_are_left_alike_have_one_target_up_to_the_numbers():
    targets = defaultdict(set)
    for pair in chain.from_iterable(runs(*range(1, 9))):
        targets[renumbered(pair.prompt)].add(in_words(pair))
    assert [len(found) for found in targets.values()] == 7 * [1]


def test_a_size_needs_a_pair_if_its_run_has_it():
    for sizes, percent, seed in [((2, 3), 90, 4), *(((1, 2, 3, 4, 5, 6), 50, seed) for seed in range(12))]:
        (row,) = isolated(None, {}, sizes=list(sizes), held_out=[[percent, seed]])
        spec = DatasetSpec(sizes, holdout_by=HoldOutBy.pairs, holdout=percent / 100, seed=seed)
        train, held = divided_pairs(SETTING, spec)
        known = {renumbered(pair.prompt) for pair in train}
        alone = {pair.prompt for pair in held if renumbered(pair.prompt) not in known}
        needing = [n for n, run in zip(sizes, runs(*sizes), strict=True) if alone & {pair.prompt for pair in run}]
        assert (row["alone"], row["sizes"]) == (len(alone), needing)
        if 1 in sizes:  # only the single disk has a pair that nothing else tells, the first one
            first = next(teacher_pairs(SETTING, spec.drawn(SETTING)))
            assert needing == ([1] if first in held else [])


def test_the_context_is_the_first_prompt_and_the_targets_so_far():
    found = growth(None, {}, "hanoi", 2, memory="tape", arith="inline", model="reference")
    trace = list(coc.run("hanoi", 2, memory="tape", arith="inline", model="reference").trace)
    assert [value for _, value in found["prompts"]] == [len(step.prompt) for step in trace]
    context = [len(trace[0].prompt) + sum(len(step.target) for step in trace[:k]) for k in range(len(trace))]
    assert [value for _, value in found["contexts"]] == context


def test_each_pair_is_counted_where_it_first_comes():
    distinct = set()
    for row in pairs(None, {}, "hanoi", "pda", "symbolic", "reference", [1, 2, 3]):
        run = coc.run("hanoi", row["n"], model="reference")
        new = {step.prompt for step in run.trace} - distinct
        assert (row["added"], row["actions"]) == (len(new), len(run.plan))
        distinct |= new


@pytest.fixture
def model(monkeypatch):
    """The needs of a task whose model is the reference model."""
    monkeypatch.setattr(steps, "CHECKPOINT", "reference")
    return {"model": Done({}, Path())}


def test_a_model_without_errors_is_predicted_to_solve_everything(model):
    rows = steps.errors(None, model, "blocksworld", "pda", "symbolic", sizes="3-4", instances=5, seed=1)
    assert [(row["n"], row["wrong"], row["predicted"]) for row in rows] == [(3, 0, 1.0), (4, 0, 1.0)]
    assert all(row["pairs"] > 5 for row in rows)


def test_each_step_is_timed_but_those_that_are_answered_wrong(model, monkeypatch):
    hanoi = {"domain": "hanoi", "memory": "transcript", "arith": "symbolic", "n": 3}
    run = coc.run("hanoi", 3, memory="transcript", model="reference")
    targets = {step.prompt: step.target for step in run.trace}
    assert [row["characters"] for row in steps.costs(None, model, **hanoi)] == list(map(len, targets))

    def call_each(_, prompts):
        (prompt,) = prompts
        return [LimitFault("too long") if len(prompt) > 300 else "What?" if len(prompt) < 100 else targets[prompt]]

    monkeypatch.setattr(steps, "call_each", call_each)
    right = [length for length in map(len, targets) if 100 <= length <= 300]
    assert 0 < len(right) < len(targets)
    assert [row["characters"] for row in steps.costs(None, model, **hanoi)] == right


def test_steps_of_a_training_are_timed_and_nothing_is_kept(tmp_path):
    small = {"d_model": 16, "layers": 1, "heads": 2, "steps": 40, "batch_size": 4, "warmup": 5}
    choices = {"domain": "hanoi", "memory": "tape", "arith": "inline", "sizes": "1-3", "preset": "exact-numbers"}
    found = rate(tmp_path, {}, limit=0.01, **choices, hyperparameters=small)
    assert found["seconds"] * found["steps"] >= 0.01
    assert list(tmp_path.iterdir()) == []
