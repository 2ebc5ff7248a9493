"""The program with linked records writes the flips of the list policy, and compares no names."""

from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from coc_check import strategies
from coc_core.text import number_names, rename
from coc_problems import policy_steps, sample_problems
from coc_programs import interpret
from coc_puzzles.pancake.domain import Order, Pancake, ordered
from coc_puzzles.pancake.linked import LinkedPancake
from tests.support.plan_runs import plan

PANCAKE, LINKED = Pancake(), LinkedPancake()
INSTRUCTIONS, ACTIONS, NOTES = LINKED.instructions, LINKED.actions, LINKED.notes


def prompts(problems):
    found = (INSTRUCTIONS.format(each) for problem in problems for each, _ in policy_steps(LINKED, problem))
    return {number_names(text, {"P"})[0] for text in found}


def step_texts(text):
    step = LINKED.expand(INSTRUCTIONS.parse(text))
    emitted = [(ACTIONS if each in ACTIONS else NOTES).format(each) for each in step.emits]
    return emitted + [INSTRUCTIONS.format(each) for each in step.then]


def test_drawn_stacks_get_the_same_plan():
    problems = [PANCAKE.problem(n, seed) for n in (1, 2, 3, 6, 9, 20, 60) for seed in range(60 // n)]
    for problem in problems:
        assert plan(LINKED, problem) == plan(PANCAKE, problem)


@settings(max_examples=20)
@given(st.integers(1, 20), st.integers(0, 10**6))
def test_its_source_takes_the_same_flips_as_it_stands(n, seed):
    problem = PANCAKE.problem(n, seed)
    assert [each for each in interpret(*LINKED.begin(problem)) if each in ACTIONS] == plan(PANCAKE, problem)


def test_a_pancake_that_is_there_already_gets_no_flips_and_one_on_top_gets_both():
    assert [ACTIONS.format(flip) for flip in plan(LINKED, Order((1, 2, 4, 3), ordered(4)))] == [
        "Flip from where P3 is located.",
        "Flip from where P3 must be located.",
    ]
    assert plan(LINKED, Order(ordered(7), ordered(7))) == []


def test_from_four_pancakes_on_all_sizes_have_the_same_11_prompts():
    few = [prompts(PANCAKE.every_problem(n)) for n in range(1, 6)]
    assert [len(each) for each in few] == [1, 4, 9, 11, 11]
    assert few[3] == few[4]
    assert Counter(text.split()[1] for text in few[4]) == {"sort.1": 4, "sort.2": 7}
    drawn = [drawn.problem for n in (8, 30) for drawn in sample_problems(PANCAKE, n, 3)]
    assert prompts(drawn) == few[4]
    assert max(len(number_names(text, {"P"})[1]) for text in few[4]) == 6


@pytest.mark.parametrize("n", [1, 2, 10, 60])
def test_a_pancake_takes_a_step_and_one_for_each_that_is_turned_over(n):
    for drawn in sample_problems(PANCAKE, n, 5):
        steps = Counter(type(instruction).__name__ for instruction, _ in policy_steps(LINKED, drawn.problem))
        assert steps.pop("sort__1") == n
        assert steps.total() <= n * (n - 1) // 2


@settings(max_examples=20)
@given(st.data())
def test_a_step_does_not_depend_on_names_or_on_whether_two_are_the_same(data):
    numbered, meant = number_names(INSTRUCTIONS.format(data.draw(strategies.instructions(LINKED, range(1, 9)))), {"P"})
    named = {local: f"P{data.draw(st.integers(1, 5))}" for local in meant}
    for names in (meant, named):
        assert step_texts(rename(numbered, names)) == [rename(text, names) for text in step_texts(numbered)]
