"""What is drawn, and what is held out of it."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import SETTINGS, setting_of

from coc_core.datasets import DatasetSpec, HoldOutBy, PairStream, teacher_pairs
from coc_core.datasets.pairs import hold_out
from coc_core.domain import Split
from coc_core.domain.sampling import split_of
from coc_core.errors import UsageError
from coc_pancake.records import Order, ordered

FRACTIONS = st.sampled_from([0, 0.15, 0.5, 0.9])


def halves(setting, spec):
    """(train, held out, problems) of a spec."""
    stream = PairStream(setting, spec)
    pairs = list(stream)
    assert stream.count == len(pairs)
    held = stream.held_out()
    train = [pair for index, pair in enumerate(pairs) if index not in held]
    return train, [pair for index, pair in enumerate(pairs) if index in held], stream.problems


@given(st.sampled_from(SETTINGS), FRACTIONS, st.integers(-9, 9))
def test_pairs_are_held_out_as_recorded_commands_expect(names, fraction, seed):
    setting = setting_of("pancake", *names)
    train, held, problems = halves(setting, DatasetSpec(4, 6, 3, holdout=fraction, seed=seed))
    assert len(problems) == 9
    assert {split_of(setting.domain, problem) for problem in problems} == {Split.train}
    assert (train, held) == hold_out(list(teacher_pairs(setting, problems)), fraction, seed)


@given(st.sampled_from(SETTINGS), FRACTIONS, st.integers(-9, 9))
def test_whole_problems_are_held_out(names, fraction, seed):
    setting = setting_of("blocksworld", *names)
    train, held, problems = halves(setting, DatasetSpec(3, 5, 4, by=HoldOutBy.instances, holdout=fraction, seed=seed))
    kept, tested = hold_out(problems, fraction, seed)
    assert len(tested) == int(fraction * len(problems))
    assert train == list(teacher_pairs(setting, kept))
    shared = {pair.prompt for pair in train}
    assert set(held) == {pair for pair in teacher_pairs(setting, tested) if pair.prompt not in shared}


@pytest.mark.parametrize("part", Split)
def test_what_a_domain_lists_first_comes_on_top_of_what_is_drawn(part):
    setting = setting_of("pancake")
    drawn, more = DatasetSpec(4, 5, 3, part), DatasetSpec(4, 5, 3, part, enumerated=24)
    kept, asked = (spec.problems(setting) for spec in (drawn, more))
    for n in (4, 5):
        listed = list(islice(setting.domain.every_problem(n), 24))
        wanted = [problem for problem in listed if part in (Split.all, split_of(setting.domain, problem))]
        of_size = [[problem for problem in found if len(problem.goal) == n] for found in (kept, asked)]
        assert of_size[1] == [*of_size[0], *wanted]
    assert Order(ordered(4), ordered(4)) in asked or part is not Split.all


def test_nearly_sorted_stacks_of_forty_pancakes_are_listed_at_once():
    drawn = DatasetSpec(40, 40, 1, Split.all, enumerated=6).problems(setting_of("pancake"))
    assert [problem.start[:37] for problem in drawn[1:]] == [ordered(37)] * 6


@pytest.mark.parametrize("part", Split)
def test_problems_that_are_nearly_solved_come_on_top_of_what_is_drawn(part):
    setting = setting_of("pancake")
    drawn, more, anew = (DatasetSpec(4, 9, 3, part, seed=2, near_goal=near).problems(setting) for near in (0, 20, 20))
    assert more == anew
    for n in range(4, 10):
        kept, asked = ([problem for problem in found if len(problem.goal) == n] for found in (drawn, more))
        nearly = asked[len(kept) :]
        assert asked[: len(kept)] == kept
        assert len(nearly) == 20
        assert all(part in (Split.all, split_of(setting.domain, problem)) for problem in nearly)
    assert len(set(DatasetSpec(1, 1, 3, part, near_goal=20).problems(setting))) == 1  # one pancake lies in one way only


def test_a_domain_that_draws_nothing_nearly_solved_says_so():
    with pytest.raises(UsageError, match="hanoi has no near-goal problems"):
        DatasetSpec(1, 3, near_goal=1).problems(setting_of("hanoi"))
    assert DatasetSpec(1, 3, near_goal=0).problems(setting_of("hanoi")) == DatasetSpec(1, 3).problems(
        setting_of("hanoi")
    )


def test_a_recipe_says_what_it_is():
    assert str(DatasetSpec(1, 15, holdout=0.5)) == "n=1-15, hold-out 50% of the pairs, seed 0"
    assert str(DatasetSpec(1, 4, 9, enumerated=24)).startswith(
        "n=1-4, 9 instances of each n and the first 24 enumerated, hold"
    )
    assert str(DatasetSpec(1, 4, 9, near_goal=24)).startswith(
        "n=1-4, 9 instances of each n and 24 near-goal, hold-out 15%"
    )
    assert (
        str(DatasetSpec(8, 8, 1000, by=HoldOutBy.instances, seed=3))
        == "n=8, 1,000 instances of each n, hold-out 15% of the instances, seed 3"
    )


def test_a_recipe_that_holds_out_everything_is_refused():
    with pytest.raises(UsageError, match="leaves nothing to train on"):
        DatasetSpec(1, 2, holdout=1)


def test_sizes_that_the_domain_has_not_are_refused_before_any_problem_is_drawn():
    with pytest.raises(UsageError, match="hanoi has no problem of size n=999999999"):
        DatasetSpec(1, 999_999_999).problems(setting_of("hanoi"))
