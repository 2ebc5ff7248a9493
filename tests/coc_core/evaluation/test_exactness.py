"""Asking every prompt once: counts, kinds of step, faults, and what follows for the runs."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import setting_of
from toys import Scripted

from coc_core.datasets import FAMILIES, teacher_pairs
from coc_core.domain import Draw, draw
from coc_core.errors import LimitFault, NumericFault, PluginError, StorageError
from coc_core.evaluation import Exactness, exactness_document, predict, wilson
from coc_core.evaluation import exactness as module
from coc_core.evaluation.exactness import Bucket, Part
from coc_core.models import Pair, WrongTarget

PAIRS = [Pair(f"SUCC n={n}", f"PUSH n={n + 1}") for n in range(5, 15)]


def asked(model, pairs=PAIRS):
    exactness = Exactness(model)
    exactness.run(pairs)
    return exactness


def wrong_on(prompts, answer="What?"):
    """A model that is right except on some prompts, where it gives another answer or raises it."""
    right = dict(PAIRS)

    def say(prompt):
        if prompt not in prompts:
            return right[prompt]
        if isinstance(answer, Exception):
            raise answer
        return answer

    return Scripted(then=say)


def test_the_reference_is_exact():
    setting = setting_of("hanoi")
    found = asked(setting.model("reference"), teacher_pairs(setting, [setting.domain.problem(20)]))
    assert (found.pairs, found.wrong, found.error, found.interval) == (111, 0, 0.0, wilson(0, 111))
    assert [found.worst(family) for family in FAMILIES] == [[], [], []]
    assert [found.kinds(family) for family in FAMILIES] == [4, 111, 4]
    assert (found.wrong_pairs, found.interrupted) == ([], False)


def test_wrong_answers_are_counted_by_kind():
    found = asked(wrong_on({"SUCC n=7", "SUCC n=11", "SUCC n=12"}))
    assert (found.pairs, found.wrong, found.error) == (10, 3, 0.3)
    assert found.wrong_pairs == [WrongTarget(f"SUCC n={n}", f"PUSH n={n + 1}", "What?") for n in (7, 11, 12)]
    assert found.worst("shape") == [Bucket("SUCC n=##", 2, 5), Bucket("SUCC n=#", 1, 5)]
    assert found.worst("values") == [Bucket(f"SUCC n={n}", 1, 1) for n in (11, 12, 7)]
    assert found.worst("carry") == [
        Bucket("SUCC n=#, carry 0, ·#", 2, 5),
        Bucket("SUCC n=#, carry 0, #", 1, 4),
    ]


def test_the_targets_are_the_drafts():
    class Drafted(Scripted):
        def _complete(self, prompts, drafts):
            return list(drafts)

    found = asked(Drafted())
    assert (found.pairs, found.wrong) == (len(PAIRS), 0)


@pytest.mark.parametrize("batch", [1, 3, 100])
@given(wrong=st.sets(st.sampled_from([pair.prompt for pair in PAIRS])))
def test_batches_and_faults_change_no_count(batch, wrong):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BATCH", batch)
        for answer in ("What?", NumericFault("no finite logits", text="7"), LimitFault("too long")):
            found = asked(wrong_on(wrong, answer))
            assert (found.pairs, found.wrong) == (len(PAIRS), len(wrong))
            assert {pair.prompt for pair in found.wrong_pairs} == wrong
            for family in FAMILIES:
                assert sum(stratum.wrong for stratum in found.worst(family)) == len(wrong)


def test_a_fault_is_a_wrong_answer_that_says_why():
    found = asked(wrong_on({"SUCC n=7"}, NumericFault("no finite logits", text="7")))
    assert found.wrong_pairs == [WrongTarget("SUCC n=7", "PUSH n=8", "7", "no finite logits")]


def test_a_model_that_raises_is_an_error():
    with pytest.raises(PluginError, match="the model 'scripted' raised ValueError: no idea"):
        asked(Scripted(ValueError("no idea")))
    with pytest.raises(StorageError, match="the disk is full"):
        asked(Scripted(StorageError("the disk is full")))


def test_an_interruption_ends_it_after_the_batch(monkeypatch):
    monkeypatch.setattr(module, "BATCH", 4)
    exactness = Exactness(None)

    def answer(prompt):
        exactness.interrupt()
        return "What?"

    exactness.model = Scripted(then=answer)
    exactness.run(PAIRS)
    assert (exactness.pairs, exactness.wrong, exactness.interrupted) == (4, 4, True)


def test_an_interruption_before_the_start_asks_nothing():
    exactness = Exactness(Scripted())
    exactness.interrupt()
    exactness.run(PAIRS)
    assert (exactness.pairs, exactness.parts) == (0, [])


def test_parts_are_counted_apart():
    exactness = Exactness(wrong_on({"SUCC n=7", "SUCC n=13", "SUCC n=14"}))
    exactness.run(PAIRS[:7], "train")
    exactness.run(PAIRS[7:], "heldout")
    assert exactness.parts == [Part("train", 7, 1), Part("heldout", 3, 2)]
    assert exactness_document(exactness)["parts"][1] == {"name": "heldout", "pairs": 3, "wrong": 2}
    assert (exactness.pairs, exactness.wrong) == (10, 3)


def test_nothing_asked_is_nothing_known():
    found = asked(Scripted(), [])
    assert found.parts == []
    assert (found.error, found.interval) == (None, (0.0, 1.0))
    assert exactness_document(found)["error"] is None


def test_the_document_is_plain_data(monkeypatch):
    monkeypatch.setattr(module, "MOST_WRONG", 2)
    monkeypatch.setattr(module, "MOST_STRATA", 1)
    plain = exactness_document(asked(wrong_on({"SUCC n=7", "SUCC n=11", "SUCC n=12"})))
    assert json.loads(json.dumps(plain)) == plain
    assert {name: plain[name] for name in ("pairs", "wrong", "error", "margin", "interrupted")} == {
        "pairs": 10,
        "wrong": 3,
        "error": 0.3,
        "margin": None,
        "interrupted": False,
    }
    assert plain["strata"][0] == {
        "family": "shape",
        "strata": 2,
        "wrong": 2,
        "worst": [{"stratum": "SUCC n=##", "wrong": 2, "pairs": 5}],
    }
    assert (len(plain["wrong_pairs"]), plain["wrong_pairs_left_out"]) == (2, 1)


def test_a_prediction_from_the_closed_form():
    setting = setting_of("hanoi")
    found = asked(wrong_on({"SUCC n=7"}))
    [three, four] = predict(setting, [Draw(n, 0, setting.domain.problem(n)) for n in (3, 4)], found)
    low, high = wilson(1, 10)
    assert (three.n, three.problems, three.steps, four.steps) == (3, 1, 10.0, 22.0)
    assert three.success == pytest.approx(0.9**10)
    assert three.interval == pytest.approx(((1 - high) ** 10, (1 - low) ** 10))


def test_a_prediction_from_runs_of_the_reference():
    setting = setting_of("pancake", "tape", "inline")
    draws = list(draw(setting.domain, 5, 4, seed=2))
    [found] = predict(setting, draws, asked(wrong_on({"SUCC n=7"})))
    steps = [len(list(teacher_pairs(setting, [drawn.problem]))) for drawn in draws]
    assert len(set(steps)) > 1
    assert (found.problems, found.steps) == (4, sum(steps) / 4)
    assert found.success == pytest.approx(sum(0.9**count for count in steps) / 4)


@given(st.integers(1, 50), st.integers(0, 50))
def test_a_prediction_lies_in_its_interval(pairs, wrong):
    setting = setting_of("hanoi")
    exactness = Exactness(Scripted(), pairs=pairs, wrong=min(pairs, wrong))
    for found in predict(setting, [Draw(n, 0, setting.domain.problem(n)) for n in (1, 5, 64)], exactness):
        low, high = found.interval
        assert 0 <= low <= found.success <= high <= 1


def test_with_no_error_all_runs_succeed():
    setting = setting_of("hanoi")
    [found] = predict(setting, [Draw(20, 0, setting.domain.problem(20))], asked(setting.model("reference"), []))
    assert (found.success, found.interval) == (1.0, (0.0, 1.0))
