import random
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from coc_algorithms.sort import InsertionSort, MergeSort, Numbers, Put
from coc_core.domain import parse_problem
from coc_core.errors import ActionFault, UsageError
from tests.support.for_each import for_each
from tests.support.heap_runs import HeapRuns

MERGE, INSERTION = HeapRuns(MergeSort()), HeapRuns(InsertionSort())
BOTH = MERGE, INSERTION

KEYS = st.one_of(st.integers(0, 3), st.integers(0, 10**100))


def keys_after(runs, keys):
    state = runs(Numbers(tuple(keys))).state
    assert [keys[item - 1] for item, _ in state] == [key for _, key in state]
    assert all(item < other for (item, key), (other, same) in pairwise(state) if key == same)
    return [key for _, key in state]


@settings(max_examples=20)
@given(keys=st.lists(KEYS, min_size=1, max_size=12), runs=st.sampled_from(BOTH))
def test_any_numbers_are_sorted_and_equal_ones_keep_their_order(keys, runs):
    assert keys_after(runs, keys) == sorted(keys)


@settings(max_examples=8)
@given(keys=st.lists(KEYS, min_size=1, max_size=8), runs=st.sampled_from(BOTH))
def test_a_run_takes_the_actions_of_the_program_as_it_stands(keys, runs):
    runs.actions(Numbers(tuple(keys)))


@pytest.mark.slow
def test_many_numbers_with_many_digits_are_sorted():
    rng = random.Random(1)
    for _ in range(500):
        below = 10 ** round(100 ** rng.random())
        keys = [rng.randrange(below) for _ in range(min(rng.randint(1, 1000) for _ in range(3)))]
        assert keys_after(MERGE, keys) == sorted(keys)
    keys = [rng.randrange(10**100) for _ in range(1000)]
    assert keys_after(MERGE, keys) == sorted(keys)


def test_an_action_moves_one_item_in_front_of_another():
    sort = MergeSort()
    state = sort.initial(Numbers((7, 8, 9)))
    assert sort.apply(state, Put(3, 1)) == ((3, 9), (1, 7), (2, 8))
    assert sort.apply(state, Put(1, 3)) == ((2, 8), (1, 7), (3, 9))
    for put in (Put(1, 1), Put(1, 2), Put(1, 4), Put(4, 1), Put(4, 5)):
        with pytest.raises(ActionFault, match="can't be put in front of"):
            sort.apply(state, put)


def test_only_the_sorted_row_is_the_goal():
    sort, problem = MergeSort(), Numbers((5, 5, 1))
    state = sort.initial(problem)
    assert not sort.is_goal(problem, state)
    assert sort.is_goal(problem, sort.apply(state, Put(3, 1)))
    assert not sort.is_goal(problem, sort.apply(sort.apply(state, Put(3, 1)), Put(2, 1)))


@for_each(
    ("text", "message"),
    {
        "5, 3": "'5, 3' is not a list of numbers",
        "[5, x]": "'x' is not a whole number",
        "[5, -3]": "it must be at least 0",
        "[05]": "'05' is not a whole number",
        "[]": "sort has no problem of size n=0",
    }.items(),
)
def test_a_bad_problem_is_refused(text, message):
    with pytest.raises(UsageError, match=message.replace("[", r"\[")):
        parse_problem(MergeSort(), text)


def test_a_problem_is_a_list_of_numbers_of_any_length():
    assert parse_problem(MergeSort(), f"[{10**99}, 0]") == Numbers((10**99, 0))
    assert parse_problem(MergeSort(), '{"keys": [2, 1]}') == Numbers((2, 1))


def test_a_row_is_drawn():
    sort = MergeSort()
    state = sort.initial(Numbers((10, 0, 5)))
    assert sort.render(state, 16) == "I1 10 ██████████\nI2  0\nI3  5 █████"
    assert [column.items[0].size for column in sort.scene(state).columns] == [1.0, 0.0, 0.5]
