"""Which problems a spec draws, and which pairs are held out."""

from itertools import islice

import pytest

from coc_core.errors import UsageError
from coc_learn.datasets import DatasetSpec, HoldOutBy, divided_pairs, teacher_pairs
from coc_learn.datasets.pairs import hold_out
from coc_problems import Split
from coc_problems.sampling import split_of
from tests.support.for_each import for_each
from tests.support.plan_runs import SETTINGS, setting_of


@for_each("split", Split)
def test_enumerated_and_near_goal_problems_of_the_split_are_added_to_those_drawn(split):
    setting, sizes = setting_of("pancake"), range(4, 7)
    drawn, more, again = (
        list(DatasetSpec(sizes, 3, split, seed=2, enumerated=each, near_goal=each).drawn(setting))
        for each in (0, 24, 24)
    )
    assert more == again
    for n in sizes:
        before, after = ([problem for problem in found if len(problem.goal) == n] for found in (drawn, more))
        enumerated = islice(setting.domain.every_problem(n), 24)
        enumerated = [each for each in enumerated if split in (Split.all, split_of(setting.domain, each))]
        assert after[: len(before) + len(enumerated)] == before + enumerated
        assert len(after) == len(before) + len(enumerated) + 24
        assert all(split in (Split.all, split_of(setting.domain, problem)) for problem in after)
    single = DatasetSpec((1,), 3, split, near_goal=20).drawn(setting)
    assert len(set(single)) == 1  # one pancake has only one arrangement


def test_a_domain_without_near_goal_problems_is_refused():
    with pytest.raises(UsageError, match="hanoi has no near-goal problems"):
        list(DatasetSpec(range(1, 4), near_goal=1).drawn(setting_of("hanoi")))


def test_sizes_are_ascending_and_there_is_one():
    assert DatasetSpec([5, 1, 3, 1]).sizes == (1, 3, 5)
    with pytest.raises(UsageError, match="a dataset needs at least one size"):
        DatasetSpec(())


def test_a_spec_as_text():
    assert str(DatasetSpec(range(1, 16), holdout=0.5)) == "n=1-15, hold-out 50% of the steps, seed 0"
    assert str(DatasetSpec((8,), 1000, Split.all, HoldOutBy.instances, seed=3, enumerated=24, near_goal=9)) == (
        "n=8, 1,000 instances of each n and the first 24 enumerated and 9 near-goal, hold-out 15% of the instances,"
        " seed 3"
    )


@for_each("names", SETTINGS)
@for_each("seed", [0, 3])
def test_pairs_of_held_out_problems_are_those_that_no_training_problem_has(names, seed):
    setting = setting_of("pancake", *names)
    spec = DatasetSpec((3, 4), 5, holdout_by=HoldOutBy.instances, holdout=0.4, seed=seed)
    train, held = divided_pairs(setting, spec)
    trained, tested = hold_out(list(spec.drawn(setting)), 0.4, seed)
    assert train == list(teacher_pairs(setting, trained))
    assert held == [pair for pair in teacher_pairs(setting, tested) if pair.prompt not in dict(train)]
    assert len(dict(train + held)) == len(train + held)
    assert held
