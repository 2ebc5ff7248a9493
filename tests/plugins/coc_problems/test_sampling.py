"""Samples for training and for testing are disjoint."""

import pytest
from hypothesis import given, strategies as st

from coc_core.errors import UsageError
from coc_problems import (
    Instance,
    ManyProblems,
    Problems,
    Split,
    enumerate_all,
    enumerate_first,
    lists_single_problem,
    sample_problems,
)
from coc_problems.sampling import split_of
from coc_puzzles.blocksworld.domain import OneTower, SeveralTowers
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.four_pegs import HanoiFour
from coc_puzzles.pancake.domain import Pancake
from tests.support.toy_parts import Queue

DOMAINS = [OneTower(), SeveralTowers(), Pancake(), Queue()]
SEEDS = st.integers(-(10**9), 10**9)


@given(st.sampled_from(DOMAINS), st.integers(4, 12), SEEDS, SEEDS)
def test_train_and_test_are_disjoint_whatever_the_seeds(domain, n, one, other):
    train = {drawn.problem for drawn in sample_problems(domain, n, 20, one, Split.train)}
    test = {drawn.problem for drawn in sample_problems(domain, n, 20, other, Split.test)}
    assert train
    assert test
    assert not train & test


@given(st.sampled_from([*DOMAINS, Hanoi()]), st.integers(4, 40), SEEDS, st.sampled_from(Split))
def test_a_sample_is_the_same_for_the_same_seed(domain, n, seed, split):
    drawn = list(sample_problems(domain, n, 5, seed, split))
    assert drawn == list(sample_problems(domain, n, 5, seed, split))
    assert all(found.n == n and found.problem == domain.problem(n, found.seed) for found in drawn)
    assert len({found.seed for found in drawn}) == len(drawn)


def test_without_a_split_the_seeds_are_consecutive():
    assert [found.seed for found in sample_problems(Pancake(), 8, 3)] == [0, 1, 2]
    assert [found.seed for found in sample_problems(Pancake(), 8, 3, seed=7)] == [7_000_000, 7_000_001, 7_000_002]


def test_one_problem_in_five_is_for_testing():
    splits = [split_of(Pancake(), problem) for problem in Pancake().every_problem(7)]
    assert set(splits) == {Split.train, Split.test}
    assert 0.17 < splits.count(Split.test) / len(splits) < 0.23


def test_a_size_with_one_problem_is_drawn_once_in_every_split():
    assert lists_single_problem(Hanoi(), 3)
    assert lists_single_problem(OneTower(), 1)
    assert not lists_single_problem(Pancake(), 2)
    for split in Split:
        assert list(sample_problems(Hanoi(), 3, 50, 2, split)) == [Instance(3, 2_000_000, Hanoi().problem(3))]


def test_no_problem_is_drawn_to_count(monkeypatch):
    """Not even where a domain lists none: what is drawn shows whether a size has only one."""
    drawn = []
    for domain in (Pancake, Hanoi):
        monkeypatch.setattr(domain, "_every_problem", lambda *_: None)
        monkeypatch.setattr(domain, "_problem", lambda *given, draw=domain._problem: drawn.append(1) or draw(*given))
    for count in (1, 2, 30):
        problems = Problems.of(Pancake(), ManyProblems(sizes=30, instances=count, split="all"))
        assert (problems.total, len(drawn)) == (count, 0)
        assert [found.seed for found in problems] == [*range(count)]
        assert (problems.sampled([30]), problems.total, len(drawn)) == (True, count, count)
        drawn.clear()
    for split in Split:
        problems = Problems.of(Hanoi(), ManyProblems(sizes=3, split=split))
        assert list(problems) == [Instance(3, 0, Hanoi().problem(3))]
        assert (problems.sampled([3]), problems.total) == (False, 1)


def test_what_is_drawn_does_not_depend_on_the_list(monkeypatch):
    asked = [(n, count, split) for n in (4, 9) for count in (1, 3, 40) for split in Split]
    listed = [list(sample_problems(Pancake(), n, count, split=split)) for n, count, split in asked]
    monkeypatch.setattr(Pancake, "_every_problem", lambda *_: None)
    assert listed == [list(sample_problems(Pancake(), n, count, split=split)) for n, count, split in asked]


def test_few_problems_are_not_split():
    domain = HanoiFour()
    assert {split_of(domain, problem) for problem in domain.every_problem(10)} == {Split.train}
    for split in Split:
        assert {found.problem for found in sample_problems(domain, 10, 200, split=split)} == {*domain.every_problem(10)}
        assert len(list(enumerate_first(domain, 10, 12, split))) == 12


def test_an_empty_split_is_reported():
    empty = [n for n in (2, 3) if {split_of(Pancake(), p) for p in Pancake().every_problem(n)} == {Split.train}]
    assert empty, "choose other sizes: all of them have problems for testing"
    with pytest.raises(UsageError, match=f"found 0 of 5 problems of pancake with n={empty[0]} .* 'test'"):
        list(sample_problems(Pancake(), empty[0], 5, split=Split.test))


def test_a_base_seed_can_be_exhausted(monkeypatch):
    monkeypatch.setattr("coc_problems.sampling.MOST_PROBLEMS", 3)
    assert len(list(sample_problems(Pancake(), 8, 3))) == 3
    with pytest.raises(UsageError, match="found 3 of 4"):
        list(sample_problems(Pancake(), 8, 4))


def test_the_first_problems_are_no_more_than_asked_for():
    every = list(enumerate_all(Pancake(), 4))
    for count in (0, 5, len(every), len(every) + 1):
        assert list(enumerate_first(Pancake(), 4, count)) == every[:count]
        halves = [list(enumerate_first(Pancake(), 4, count, split)) for split in (Split.train, Split.test)]
        assert sum(map(len, halves)) == len(every[:count])
