"""Programs with linked records: the actions of the policies for lists, by steps that look at one record."""

from collections import Counter

import pytest
from hypothesis import assume, given, settings, strategies as st

from coc_core.domain import parse_problem, why_unsolvable
from coc_core.text import number_names, rename
from coc_problems import policy_steps, sample_problems
from coc_programs import interpret
from coc_puzzles.blocksworld.blocks.policy import Blocks, LinkedBlocks
from coc_puzzles.blocksworld.domain import OneTower, Rearrangement, SeveralTowers
from coc_puzzles.blocksworld.linked import LinkedOneTower, LinkedSeveralTowers
from coc_puzzles.pancake.domain import Order, Pancake, ordered
from coc_puzzles.pancake.linked import LinkedPancake
from tests.support.for_each import for_each
from tests.support.plan_runs import plan, setting_of, solve

PANCAKE, TOWERS = LinkedPancake(), LinkedSeveralTowers()
PAIRS = [(Pancake(), PANCAKE), (OneTower(), LinkedOneTower()), (SeveralTowers(), TOWERS), (Blocks(), LinkedBlocks())]
FEW = {"pancake": (4, 11), "blocksworld": (2, 8), "blocksworld-extended": (2, 12)}
"""From which size on all sizes have the same prompts up to names, and how many these are."""


def prompts(linked, problem):
    return [linked.instructions.format(instruction) for instruction, _ in policy_steps(linked, problem)]


def up_to_names(linked, problems):
    names = linked.interchangeable_names
    return {number_names(text, names)[0] for problem in problems for text in prompts(linked, problem)}


def agree(lists, linked, problem):
    """Whether the program has the policy's actions, step by step and as its source stands."""
    expected = plan(lists, problem)
    as_written = [each for each in interpret(*linked.begin(problem)) if each in linked.actions]
    return plan(linked, problem) == expected == as_written


@for_each(("lists", "linked"), PAIRS)
@for_each("n", range(1, 4))
def test_every_small_problem_is_solved_by_the_same_actions(lists, linked, n):
    assert all(agree(lists, linked, problem) for problem in lists.every_problem(n))


@settings(max_examples=60)
@given(st.sampled_from(PAIRS), st.integers(1, 20), st.integers(0, 10**6))
def test_drawn_problems_are_solved_by_the_same_actions(pair, n, seed):
    problem = pair[0].problem(n, seed)
    assume(why_unsolvable(pair[0], problem) is None)
    assert agree(*pair, problem)


@for_each("arith", ["inline", "symbolic"])
def test_a_machine_on_a_heap_solves_problems_by_the_same_actions(arith):
    for lists, linked in PAIRS[:3]:
        problems = [lists.problem(n, seed) for seed, n in enumerate([1, 2, 3, 5, 8, 20, 60])]
        for problem, outcome, actions, _ in solve(setting_of(linked.name, "heap", arith), problems):
            assert outcome.status == "solved"
            assert linked is PANCAKE or outcome.steps == 2 * lists.size(problem)
            assert actions == plan(lists, problem)


@for_each(("lists", "linked"), PAIRS[:3])
def test_all_sizes_have_the_same_few_prompts_up_to_names(lists, linked):
    least, count = FEW[linked.name]
    expected = up_to_names(linked, lists.every_problem(least))
    assert len(expected) == count
    assert up_to_names(linked, lists.every_problem(least + 1)) == expected
    for n in (1, 20, 60):
        assert up_to_names(linked, [lists.problem(n, seed) for seed in range(4)]) <= expected


def texts(linked, text):
    """What a step that reads a window writes."""
    step = linked.expand(linked.instructions.parse(text))
    emitted = [(linked.actions if each in linked.actions else linked.notes).format(each) for each in step.emits]
    return [*emitted, *map(linked.instructions.format, step.then)]


@settings(max_examples=60)
@given(st.sampled_from(PAIRS), st.integers(1, 8), st.integers(0, 10**6), st.data())
def test_a_step_does_not_depend_on_names_or_on_whether_two_are_the_same(pair, n, seed, data):
    lists, linked = pair
    problem = lists.problem(n, seed)
    assume(why_unsolvable(lists, problem) is None)
    prompt = data.draw(st.sampled_from(prompts(linked, problem)))
    (letter,) = linked.interchangeable_names
    numbered, meant = number_names(prompt, {letter})
    named = {local: f"{letter}{data.draw(st.integers(1, 5))}" for local in meant}
    for names in (meant, named):
        assert texts(linked, rename(numbered, names)) == [rename(text, names) for text in texts(linked, numbered)]


def test_a_run_in_its_own_words():
    problem = parse_problem(TOWERS, "start=[[B2, B1], [B3]] & goal=[B1, B3, B2]")
    assert list(map(TOWERS.instructions.format, TOWERS.records(problem))) == [
        "B1: below=B2 next_tower=- goal_above=B3",
        "B2: below=- next_tower=- goal_above=-",
        "B3: below=- next_tower=B1 goal_above=B2",
    ]
    assert prompts(TOWERS, problem) == [
        "CALL rearrange.1 goal=B1 AT B3: below=- next_tower=B1 goal_above=B2",
        "CALL rearrange.1 goal=B1 AT B1: below=B2 next_tower=- goal_above=B3",
        "CALL rearrange.1 goal=B1 AT B2: below=- next_tower=- goal_above=-",
        "CALL rearrange.2 AT B1: below=B2 next_tower=- goal_above=B3",
        "CALL rearrange.2 AT B3: below=- next_tower=B1 goal_above=B2",
        "CALL rearrange.2 AT B2: below=- next_tower=- goal_above=-",
    ]


def test_no_blocks_are_no_problem():
    with pytest.raises(ValueError, match="nothing to unstack"):
        TOWERS.start(Rearrangement((), ()))


def test_a_pancake_that_is_there_already_gets_no_flips_and_one_on_top_gets_both():
    assert [PANCAKE.actions.format(flip) for flip in plan(PANCAKE, Order((1, 2, 4, 3), ordered(4)))] == [
        "Flip from where P3 is located.",
        "Flip from where P3 must be located.",
    ]
    assert plan(PANCAKE, Order(ordered(7), ordered(7))) == []


@for_each("n", [1, 2, 10, 60])
def test_a_pancake_takes_a_step_and_one_for_each_that_is_turned_over(n):
    for drawn in sample_problems(PANCAKE, n, 5):
        steps = Counter(type(instruction).__name__ for instruction, _ in policy_steps(PANCAKE, drawn.problem))
        assert steps.pop("sort__1") == n
        assert steps.total() <= n * (n - 1) // 2
