"""Calling a model once for each prompt: counts, sampling buckets, faults and interruptions; and what they predict."""

import json
from itertools import groupby
from operator import attrgetter

import pytest
from hypothesis import given, settings, strategies as st

from coc_core.errors import NumericFault, PluginError, StorageError
from coc_core.models import Pair
from coc_learn.datasets import FAMILIES, teacher_pairs
from coc_learn.measure import exactness as module
from coc_learn.measure.exactness import Checked, Exactness, Tally, WrongTarget, predict
from coc_learn.measure.interval import wilson
from coc_problems import Instance, sample_problems
from tests.support.for_each import for_each
from tests.support.plan_runs import setting_of
from tests.support.toy_parts import Scripted

PAIRS = [Pair(f"SUCC n={n}", f"PUSH n={n + 1}") for n in range(5, 15)]


def checked(model, pairs=PAIRS):
    exactness = Exactness(model)
    exactness.run(pairs)
    return exactness


def wrong_on(prompts, response="What?"):
    """A model that is right except on some prompts, where it writes another response or raises it."""
    right = dict(PAIRS)

    def say(prompt):
        if prompt not in prompts:
            return right[prompt]
        if isinstance(response, Exception):
            raise response
        return response

    return Scripted(then=say)


def test_the_reference_is_exact():
    setting = setting_of("hanoi")
    found = checked(setting.model("reference"), teacher_pairs(setting, [setting.domain.problem(20)]))
    assert (found.pairs, found.wrong, found.error, found.interval) == (111, 0, 0.0, wilson(0, 111))
    assert [found.worst(family) for family in FAMILIES] == [[], [], []]
    assert [len(found.pairs_in[family]) for family in FAMILIES] == [4, 111, 4]
    assert (found.wrong_targets, found.interrupted) == ([], False)


def test_wrong_responses_are_counted_by_bucket():
    found = checked(wrong_on({"SUCC n=7", "SUCC n=11", "SUCC n=12"}))
    assert (found.pairs, found.wrong, found.error) == (10, 3, 0.3)
    assert found.wrong_targets == [WrongTarget(f"SUCC n={n}", f"PUSH n={n + 1}", "What?") for n in (7, 11, 12)]
    assert found.worst("shape") == [Tally("SUCC n=##", 2, 5), Tally("SUCC n=#", 1, 5)]
    assert found.worst("values") == [Tally(f"SUCC n={n}", 1, 1) for n in (11, 12, 7)]
    assert found.worst("carry") == [Tally("SUCC n=#, carry 0, ·#", 2, 5), Tally("SUCC n=#, carry 0, #", 1, 4)]


def test_the_targets_are_the_drafts():
    class Drafted(Scripted):
        def _complete(self, prompts, drafts):
            return list(drafts)

    assert checked(Drafted()).wrong == 0


def test_a_fault_is_a_wrong_response_with_a_reason():
    found = checked(wrong_on({"SUCC n=7"}, NumericFault("no finite logits", text="7")))
    assert found.wrong_targets == [WrongTarget("SUCC n=7", "PUSH n=8", "7", "no finite logits")]


@for_each(
    ("error", "raised", "reason"),
    [
        (ValueError("no idea"), PluginError, "the model 'scripted' raised ValueError: no idea"),
        (StorageError("the disk is full"), StorageError, "the disk is full"),
    ],
)
def test_a_model_that_raises_is_an_error(error, raised, reason):
    with pytest.raises(raised, match=reason):
        checked(Scripted(error))


@for_each(("early", "count"), [(True, 0), (False, 4)])
def test_an_interruption_ends_it_after_the_batch(monkeypatch, early, count):
    monkeypatch.setattr(module, "BATCH", 4)
    exactness = Exactness(Scripted(then=lambda _: exactness.interrupt() or "What?"))
    if early:
        exactness.interrupt()
    exactness.run(PAIRS)
    assert (exactness.pairs, exactness.wrong, len(exactness.subsets)) == (count, count, not early)


def test_the_margin_is_the_smallest_of_all_batches():
    exactness = Exactness(Scripted())
    exactness.run((), checker=lambda *_: iter([Checked((), {}, margin) for margin in (0.5, None, 0.25, 0.75)]))
    assert exactness.margin == 0.25


@for_each("changed", ["{} ", "{}\n", "\t{}", "\u00a0{}", "{}0"])
def test_a_response_is_wrong_if_it_is_another_text_even_in_white_space_alone(changed):
    responses = {prompt: changed.format(target) for prompt, target in PAIRS}
    found = checked(Scripted(then=responses.__getitem__))
    assert found.wrong_targets == [WrongTarget(*pair, responses[pair.prompt]) for pair in PAIRS]


def test_the_document_says_all_that_was_counted_and_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "MOST_WRONG", 1)
    model = wrong_on({"SUCC n=7", "SUCC n=11"})
    model.margin = 0.25
    exactness = Exactness(model)
    empty = exactness.document()
    assert (empty["error"], empty["interval"], empty["subsets"]) == (None, [0.0, 1.0], [])
    exactness.run(PAIRS[:6])
    exactness.run(PAIRS[6:], "rest")
    exactness.interrupt()
    shown = exactness.document()
    assert [family.pop("family") for family in shown["buckets"]] == list(FAMILIES)
    assert json.loads(json.dumps(shown)) == shown == {
        "pairs": 10,
        "wrong": 2,
        "error": 0.2,
        "interval": list(wilson(2, 10)),
        "margin": 0.25,
        "interrupted": True,
        "subsets": [{"name": "pairs", "pairs": 6, "wrong": 1}, {"name": "rest", "pairs": 4, "wrong": 1}],
        "buckets": [
            {"buckets": 2, "wrong": 2, "worst": [{"name": "SUCC n=#", "wrong": 1, "pairs": 5}]},
            {"buckets": 10, "wrong": 2, "worst": [{"name": "SUCC n=11", "wrong": 1, "pairs": 1}]},
            {"buckets": 3, "wrong": 2, "worst": [{"name": "SUCC n=#, carry 0, #", "wrong": 1, "pairs": 4}]},
        ],
        "wrong_pairs": [{"prompt": "SUCC n=7", "expected": "PUSH n=8", "got": "What?", "fault": None}],
        "wrong_pairs_left_out": 1,
    }  # fmt: skip


def test_a_prediction_from_the_closed_form(monkeypatch):
    """No run is needed for it."""
    monkeypatch.setattr(module, "policy_steps", None)
    setting = setting_of("hanoi")
    found = Exactness(Scripted(), pairs=10, wrong=1)
    [three, four] = predict(setting, [Instance(n, 0, setting.domain.problem(n)) for n in (3, 4)], found)
    low, high = wilson(1, 10)
    assert (three.n, three.problems, three.steps, four.steps) == (3, 1, 10.0, 22.0)
    assert three.success == pytest.approx(0.9**10)
    assert three.interval == pytest.approx(((1 - high) ** 10, (1 - low) ** 10))
    [unknown] = predict(setting, [Instance(20, 0, setting.domain.problem(20))], Exactness(Scripted()))
    assert (unknown.success, unknown.interval) == (1.0, (0.0, 1.0))


def test_a_prediction_from_runs_of_the_reference():
    setting = setting_of("pancake", "tape", "inline")
    instances = list(sample_problems(setting.domain, 5, 4, seed=2))
    [found] = predict(setting, instances, Exactness(Scripted(), pairs=10, wrong=1))
    steps = [len(list(teacher_pairs(setting, [instance.problem]))) for instance in instances]
    assert len(set(steps)) > 1
    assert (found.problems, found.steps) == (4, sum(steps) / 4)
    assert found.success == pytest.approx(sum(0.9**count for count in steps) / 4)


@pytest.mark.parametrize(("domain", "memory", "arith"), [("hanoi", "pda", "symbolic"), ("pancake", "tape", "inline")])
@given(wrong=st.sets(st.integers(0, 60), min_size=1))
@settings(max_examples=20)
def test_the_error_of_a_size_is_that_of_its_own_runs(domain, memory, arith, wrong):
    """Sizes have prompts in common, which are checked once; each size alone comes to the same."""
    setting = setting_of(domain, memory, arith)
    instances = [each for n in (2, 3, 5) for each in sample_problems(setting.domain, n, 2, seed=1)]
    pairs = list(teacher_pairs(setting, [each.problem for each in instances]))
    right, spoiled = dict(pairs), {pair.prompt for index, pair in enumerate(pairs) if index in wrong}
    model = Scripted(then=lambda prompt: "What?" if prompt in spoiled else right[prompt])
    every = Exactness(model)
    every.run(pairs)
    found = predict(setting, instances, every, of_each_size=True)
    for one, (_, group) in zip(found, groupby(instances, attrgetter("n")), strict=True):
        mine, alone = list(group), Exactness(model)
        alone.run(teacher_pairs(setting, [each.problem for each in mine]))
        assert [one] == predict(setting, mine, alone)
        assert one.error == alone.error
