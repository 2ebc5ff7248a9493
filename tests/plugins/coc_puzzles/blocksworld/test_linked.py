"""The program with linked records: the actions of the policy for lists, by steps that look at one block."""

import pytest
from hypothesis import given, settings, strategies as st

from coc_check import strategies
from coc_core.domain import parse_problem
from coc_core.text import number_names, rename
from coc_problems import policy_steps
from coc_puzzles.blocksworld.domain import OneTower, SeveralTowers
from coc_puzzles.blocksworld.linked import LinkedOneTower, LinkedSeveralTowers
from coc_puzzles.blocksworld.rules import Rearrangement
from tests.support.for_each import for_each
from tests.support.plan_runs import plan, setting_of, solve

PAIRS = [(OneTower(), LinkedOneTower()), (SeveralTowers(), LinkedSeveralTowers())]
LINKED = [linked for _, linked in PAIRS]
FORMS = LINKED[0].instructions
PROMPTS = {"blocksworld": 8, "blocksworld-extended": 12}  # up to names


def prompts(linked, problem):
    return [FORMS.format(instruction) for instruction, _ in policy_steps(linked, problem)]


def prompts_up_to_names(linked, problems):
    return {number_names(text, {"B"})[0] for problem in problems for text in prompts(linked, problem)}


def test_a_run_in_its_own_words():
    problem = parse_problem(LINKED[1], "start=[[B2, B1], [B3]] & goal=[B1, B3, B2]")
    assert list(map(FORMS.format, LINKED[1].records(problem))) == [
        "B1: below=B2 next_tower=- goal_above=B3",
        "B2: below=- next_tower=- goal_above=-",
        "B3: below=- next_tower=B1 goal_above=B2",
    ]
    assert prompts(LINKED[1], problem) == [
        "CALL rearrange.1 goal=B1 AT B3: below=- next_tower=B1 goal_above=B2",
        "CALL rearrange.1 goal=B1 AT B1: below=B2 next_tower=- goal_above=B3",
        "CALL rearrange.1 goal=B1 AT B2: below=- next_tower=- goal_above=-",
        "CALL rearrange.2 AT B1: below=B2 next_tower=- goal_above=B3",
        "CALL rearrange.2 AT B3: below=- next_tower=B1 goal_above=B2",
        "CALL rearrange.2 AT B2: below=- next_tower=- goal_above=-",
    ]


@for_each(("lists", "linked"), PAIRS)
@for_each("n", range(1, 5))
def test_every_small_problem_is_solved_by_the_same_actions(lists, linked, n):
    for problem in lists.every_problem(n):
        assert plan(linked, problem) == plan(lists, problem)


@settings(max_examples=20)
@given(st.sampled_from(PAIRS), st.integers(1, 60), st.integers(0, 10**6))
def test_drawn_problems_are_solved_by_the_same_actions(pair, n, seed):
    lists, linked = pair
    problem = lists.problem(n, seed)
    assert plan(linked, problem) == plan(lists, problem)


@pytest.mark.parametrize("arith", ["inline", "symbolic"])
def test_a_machine_on_a_heap_solves_problems_by_the_same_actions(arith):
    for lists, linked in PAIRS:
        problems = [lists.problem(n, seed) for seed, n in enumerate([1, 2, 3, 5, 8, 20, 60])]
        for problem, outcome, actions, _ in solve(setting_of(linked.name, "heap", arith), problems):
            assert (outcome.status, outcome.steps) == ("solved", 2 * lists.size(problem))
            assert actions == plan(lists, problem)


@pytest.mark.parametrize("linked", LINKED)
def test_all_sizes_have_the_same_few_prompts_up_to_names(linked):
    all_of_two = prompts_up_to_names(linked, linked.every_problem(2))
    assert len(all_of_two) == PROMPTS[linked.name]
    for n in (3, 4):
        assert prompts_up_to_names(linked, linked.every_problem(n)) == all_of_two
    for n in (1, 20, 60, 300):
        assert prompts_up_to_names(linked, [linked.problem(n, seed) for seed in range(4)]) <= all_of_two


@settings(max_examples=20)
@given(st.sampled_from(LINKED), st.data())
def test_a_step_does_not_depend_on_names_or_on_whether_two_are_the_same(linked, data):
    prompt = FORMS.format(data.draw(strategies.instructions(linked, range(1, 9))))
    numbered, meant = number_names(prompt, {"B"})
    targets = texts(linked.expand(FORMS.parse(numbered)))
    named = {local: f"B{data.draw(st.integers(1, 5))}" for local in meant}
    for names in (meant, named):
        other = linked.expand(FORMS.parse(rename(numbered, names)))
        assert texts(other) == [rename(text, names) for text in targets]


def texts(step):
    return [*map(LINKED[0].actions.format, step.emits), *map(FORMS.format, step.then)]


def test_no_blocks_are_no_problem():
    with pytest.raises(ValueError, match="nothing to unstack"):
        LINKED[0].start(Rearrangement((), ()))
