"""Which problems a spec draws, and which pairs are held out."""

from itertools import islice

import pytest
from hypothesis import strategies as st

from coc_core.errors import UsageError
from coc_learn.datasets import DatasetSpec, HoldOutBy, PairStream, teacher_pairs
from coc_learn.datasets.pairs import hold_out
from coc_problems import Split
from coc_problems.sampling import split_of
from coc_puzzles.pancake.domain import Order, ordered
from tests.support.for_each import for_each
from tests.support.plan_runs import SETTINGS, setting_of

FRACTIONS = st.sampled_from([0, 0.15, 0.5, 0.9])


def split_pairs(setting, spec):
    """(train, held out, problems) of a spec."""
    stream = PairStream(setting, spec)
    pairs = list(stream)
    assert stream.count == len(pairs)
    held = stream.held_out()
    train = [pair for index, pair in enumerate(pairs) if index not in held]
    return train, [pair for index, pair in enumerate(pairs) if index in held], stream.problems


@pytest.mark.parametrize("split", Split)
def test_enumerated_problems_are_added_to_those_drawn(split):
    setting = setting_of("pancake")
    drawn, more = DatasetSpec(range(4, 6), 3, split), DatasetSpec(range(4, 6), 3, split, enumerated=24)
    before, after = (spec.problems(setting) for spec in (drawn, more))
    for n in (4, 5):
        enumerated = list(islice(setting.domain.every_problem(n), 24))
        added = [problem for problem in enumerated if split in (Split.all, split_of(setting.domain, problem))]
        of_size = [[problem for problem in found if len(problem.goal) == n] for found in (before, after)]
        assert of_size[1] == [*of_size[0], *added]
    assert Order(ordered(4), ordered(4)) in after or split is not Split.all


@pytest.mark.parametrize("split", Split)
def test_near_goal_problems_are_added_to_those_drawn(split):
    setting = setting_of("pancake")
    drawn, more, again = (
        DatasetSpec(range(4, 10), 3, split, seed=2, near_goal=near).problems(setting) for near in (0, 20, 20)
    )
    assert more == again
    for n in range(4, 10):
        before, after = ([problem for problem in found if len(problem.goal) == n] for found in (drawn, more))
        added = after[len(before) :]
        assert after[: len(before)] == before
        assert len(added) == 20
        assert all(split in (Split.all, split_of(setting.domain, problem)) for problem in added)
    assert (
        len(set(DatasetSpec(range(1, 2), 3, split, near_goal=20).problems(setting))) == 1
    )  # one pancake has only one arrangement


def test_a_domain_without_near_goal_problems_is_refused():
    with pytest.raises(UsageError, match="hanoi has no near-goal problems"):
        DatasetSpec(range(1, 4), near_goal=1).problems(setting_of("hanoi"))
    assert DatasetSpec(range(1, 4), near_goal=0).problems(setting_of("hanoi")) == DatasetSpec(range(1, 4)).problems(
        setting_of("hanoi")
    )


def test_sizes_are_ascending_and_there_is_one():
    assert DatasetSpec([5, 1, 3, 1]).sizes == (1, 3, 5)
    with pytest.raises(UsageError, match="a dataset needs at least one size"):
        DatasetSpec(())


def test_a_spec_as_text():
    assert str(DatasetSpec(range(1, 16), holdout=0.5)) == "n=1-15, hold-out 50% of the steps, seed 0"
    assert str(DatasetSpec(range(1, 5), 9, enumerated=24)).startswith(
        "n=1-4, 9 instances of each n and the first 24 enumerated, hold"
    )
    assert str(DatasetSpec(range(1, 5), 9, near_goal=24)).startswith(
        "n=1-4, 9 instances of each n and 24 near-goal, hold-out 15%"
    )
    assert (
        str(DatasetSpec(range(8, 9), 1000, holdout_by=HoldOutBy.instances, seed=3))
        == "n=8, 1,000 instances of each n, hold-out 15% of the instances, seed 3"
    )


@for_each("names", SETTINGS)
@for_each("seed", [0, 3])
def test_pairs_of_held_out_problems_are_those_that_no_training_problem_has(names, seed):
    setting = setting_of("pancake", *names)
    spec = DatasetSpec((3, 4), 5, holdout_by=HoldOutBy.instances, holdout=0.4, seed=seed)
    train, held, problems = split_pairs(setting, spec)
    trained, tested = hold_out(problems, 0.4, seed)
    assert train == list(teacher_pairs(setting, trained))
    assert held == [pair for pair in teacher_pairs(setting, tested) if pair.prompt not in dict(train)]
    assert len(dict(train + held)) == len(train + held)
    assert held


@pytest.mark.parametrize("split", [Split.train, Split.test])
def test_all_problems_are_of_the_split(split):
    setting = setting_of("pancake")
    problems = DatasetSpec((5, 6), 8, split, near_goal=4, enumerated=30).problems(setting)
    assert {split_of(setting.domain, problem) for problem in problems} == {split}
