"""Success rates of runs, predicted from the error of a single step."""

from itertools import groupby
from operator import attrgetter

import pytest
from hypothesis import given, settings, strategies as st

from coc_learn.datasets import teacher_pairs
from coc_learn.measure import exactness as prediction
from coc_learn.measure.exactness import Exactness, predict
from coc_learn.measure.interval import wilson
from coc_problems import Instance, sample_problems
from tests.support.plan_runs import setting_of
from tests.support.toy_parts import Scripted


def test_a_prediction_from_the_closed_form(monkeypatch):
    """No run is needed for it."""
    monkeypatch.setattr(prediction, "policy_steps", None)
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
