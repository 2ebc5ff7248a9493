"""The linked policy writes the flips of the list policy, reads one record a step, and compares no names."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from coc_core.domain import At, Record, sample_problems
from coc_core.text import number_names, rename
from coc_core.types import Step
from coc_pancake.domain import Pancake
from coc_pancake.linked import Contents, Join, LinkedPancake, Lowest, Settle, Turn
from coc_pancake.records import ACTIONS, NOTES, Order, Sorted, ordered
from tests.support.pancake_policies import linked_flips, linked_steps, listed_flips

PANCAKE = Pancake()
INSTRUCTIONS, expand = LinkedPancake.instructions, LinkedPancake().expand


def numbered(instruction):
    return number_names(INSTRUCTIONS.format(instruction), {"P"})


def prompts(problems):
    return {numbered(instruction)[0] for problem in problems for instruction, _ in linked_steps(problem)}


def step_texts(step):
    emitted = [(ACTIONS if each in ACTIONS else NOTES).format(each) for each in step.emits]
    return emitted + [INSTRUCTIONS.format(each) for each in step.then]


@pytest.mark.parametrize("n", range(1, 6))
def test_every_small_stack_gets_the_same_flips(n):
    for problem in PANCAKE.every_problem(n):
        assert linked_flips(problem) == listed_flips(problem)


def test_drawn_stacks_get_the_same_flips():
    problems = [PANCAKE.problem(n, seed) for n in range(6, 61, 3) for seed in range(300 // n)]
    assert len(problems) > 200
    for problem in problems:
        assert linked_flips(problem) == listed_flips(problem)


def test_a_pancake_that_is_there_already_gets_no_flips_and_one_on_top_gets_both():
    assert [ACTIONS.format(flip) for flip in linked_flips(Order((1, 2, 4, 3), ordered(4)))] == [
        "Flip from where P3 is located.",
        "Flip from where P3 must be located.",
    ]
    assert linked_flips(Order(ordered(7), ordered(7))) == []


def test_from_four_pancakes_on_all_sizes_have_the_same_22_prompts():
    few = [prompts(PANCAKE.every_problem(n)) for n in range(1, 6)]
    assert [len(each) for each in few] == [1, 5, 16, 22, 22]
    assert few[3] == few[4]
    assert Counter(text.split()[1] for text in few[4]) == {"settle": 4, "lowest": 7, "join": 4, "turn": 7}
    drawn = [drawn.problem for n in (8, 20, 60) for drawn in sample_problems(PANCAKE, n, 5)]
    assert prompts(drawn) == few[4]
    assert max(len(number_names(text, {"P"})[1]) for text in few[4]) == 7


@pytest.mark.parametrize("n", [1, 2, 10, 60])
def test_a_pancake_takes_three_steps_at_most_and_one_for_each_that_is_turned_over(n):
    for drawn in sample_problems(PANCAKE, n, 5):
        steps = Counter(type(instruction) for instruction, _ in linked_steps(drawn.problem))
        assert steps[Settle] == n
        assert steps[Join] <= steps[Lowest] <= n - 1
        assert steps[Turn] <= n * (n - 1) // 2


PANCAKES = st.integers(1, 9)
LINKS = st.none() | PANCAKES
AT = st.builds(At, PANCAKES, st.builds(Contents, LINKS, LINKS, LINKS))
VISITS = (
    st.builds(Settle, PANCAKES, AT)
    | st.builds(Lowest, LINKS, PANCAKES, PANCAKES, AT)
    | st.builds(Join, PANCAKES, PANCAKES, AT)
    | st.builds(Turn, LINKS, PANCAKES, AT)
)


@given(VISITS)
def test_a_step_is_the_same_whether_names_are_the_same_or_not(instruction):
    apart, meant = numbered(instruction)
    step = expand(INSTRUCTIONS.parse(apart))
    assert [rename(text, meant) for text in step_texts(step)] == step_texts(expand(instruction))


@given(VISITS, st.lists(PANCAKES, min_size=9, max_size=9))
def test_a_step_is_the_same_under_all_other_names(instruction, others):
    names = {f"P{number}": f"P{other}" for number, other in enumerate(others, 1)}
    step = expand(INSTRUCTIONS.parse(rename(INSTRUCTIONS.format(instruction), names)))
    assert step_texts(step) == [rename(text, names) for text in step_texts(expand(instruction))]


@pytest.mark.parametrize("nothing", [Record(1, Contents(None, None, None)), Settle(1, At(1)), Turn(None, 2, At(1))])
def test_without_a_record_nothing_is_done(nothing):
    assert expand(nothing) == Step((Sorted(),))
