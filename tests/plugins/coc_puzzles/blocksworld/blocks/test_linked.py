"""The program with linked records: the actions of the policy for lists, by steps that look at one block."""

import pytest
from hypothesis import given, settings, strategies as st

from coc_core.text import number_names, rename
from coc_problems import policy_steps
from coc_programs import interpret
from coc_puzzles.blocksworld.blocks.linked import LinkedBlocks
from coc_puzzles.blocksworld.blocks.policy import Blocks
from tests.support.plan_runs import plan

LISTS, LINKED = Blocks(), LinkedBlocks()


def prompts(problem):
    return [LINKED.instructions.format(instruction) for instruction, _ in policy_steps(LINKED, problem)]


def solvable(n, seed):
    problem = LISTS.problem(n, seed)
    return None if LISTS.unsolvable(problem) else problem


@pytest.mark.parametrize("n", range(1, 4))
def test_every_small_problem_is_solved_by_the_same_actions(n):
    for problem in LISTS.every_problem(n):
        assert plan(LINKED, problem) == plan(LISTS, problem)


@settings(max_examples=20)
@given(st.integers(1, 14), st.integers(0, 10**6))
def test_drawn_problems_are_solved_by_the_same_actions(n, seed):
    problem = solvable(n, seed)
    if problem is not None:
        assert plan(LINKED, problem) == plan(LISTS, problem)


@settings(max_examples=20)
@given(st.integers(1, 14), st.integers(0, 10**6))
def test_its_source_takes_the_same_actions_as_it_stands(n, seed):
    problem = solvable(n, seed)
    if problem is not None:
        actions = [each for each in interpret(*LINKED.begin(problem)) if each in LINKED.actions]
        assert actions == plan(LISTS, problem)


@settings(max_examples=20)
@given(st.integers(1, 8), st.integers(0, 10**6), st.data())
def test_a_step_does_not_depend_on_names_or_on_whether_two_are_the_same(n, seed, data):
    problem = solvable(n, seed)
    if problem is None:
        return
    prompt = data.draw(st.sampled_from(prompts(problem)))
    numbered, meant = number_names(prompt, {"B"})
    step = LINKED.expand(LINKED.instructions.parse(numbered))
    named = {local: f"B{data.draw(st.integers(1, 5))}" for local in meant}
    for names in (meant, named):
        other = LINKED.expand(LINKED.instructions.parse(rename(numbered, names)))
        assert texts(other) == [rename(text, names) for text in texts(step)]


def texts(step):
    emitted = [LINKED.actions.format(each) for each in step.emits if each in LINKED.actions]
    return [*emitted, *map(LINKED.instructions.format, step.then)]
