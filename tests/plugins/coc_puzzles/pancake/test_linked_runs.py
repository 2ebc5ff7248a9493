"""Runs on a heap of records: solved, with the same plans in both notations, and replayed."""

import json

import pytest

from coc_problems import sample_problems
from coc_puzzles.pancake.domain import Pancake
from coc_puzzles.pancake.records import Order, ordered
from tests.support.for_each import for_each
from tests.support.plan_runs import plan, setting_of, solve
from tests.support.puzzle_simulators import turn_pancakes

PANCAKE = Pancake()
ARITHS = ["inline", "symbolic"]


def check(arith, problems):
    for problem, outcome, actions, physical in solve(setting_of("pancake", "heap", arith), problems):
        assert outcome.status == "solved"
        assert actions == plan(PANCAKE, problem)
        assert turn_pancakes(problem.start, physical) == sorted(problem.start)


@for_each("arith", ARITHS)
@for_each("n", range(1, 5))
def test_every_small_stack_is_sorted_by_the_same_flips(arith, n):
    check(arith, setting_of("pancake", "heap", arith).domain.every_problem(n))


@pytest.mark.slow
@pytest.mark.parametrize("arith", ARITHS)
def test_drawn_stacks_are_sorted_by_the_same_flips(arith):
    domain = setting_of("pancake", "heap", arith).domain
    check(arith, (domain.problem(n, seed) for n in (5, 9, 20, 40, 60) for seed in range(3)))


def test_in_symbolic_notation_a_model_is_called_for_11_prompts_at_most():
    setting = setting_of("pancake", "heap", "symbolic")
    drawn = [drawn.problem for drawn in sample_problems(setting.domain, 40, 3)]
    assert all(outcome.model_calls <= 11 < outcome.steps for _, outcome, _, _ in solve(setting, drawn))


def test_a_sorted_stack_is_looked_through():
    ((_, outcome, actions, _),) = solve(setting_of("pancake", "heap"), [Order(ordered(9), ordered(9))])
    assert (outcome.status, outcome.steps, actions) == ("solved", 9, [])


@pytest.mark.parametrize("arith", ARITHS)
def test_a_saved_run_is_replayed(coc, tmp_path, arith):
    path = tmp_path / "twelve.run"
    options = ("-d", "pancake", "-m", "heap", "-a", arith, "--model", "reference", "--n", 12)
    run = json.loads(coc("run", *options, "--save", path, "--json").out)
    found = json.loads(coc("replay", path, "--end", "--json").out)
    assert (found["outcome"], found["verified"], found["steps"]) == ("solved", True, run["steps"])
    assert found["prompt"].endswith(": below=- above=- next=-")
    middle = json.loads(coc("replay", path, "--step", 20, "--json").out)
    assert len(middle["windows"]) == 13  # a record of each pancake, and an instruction
