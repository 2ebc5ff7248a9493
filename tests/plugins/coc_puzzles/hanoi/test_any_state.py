import random
from itertools import product

import pytest

from coc_core.errors import ActionFault
from coc_problems.plan import levels
from coc_puzzles.hanoi.any_state import HanoiAny, Spread, Standing
from tests.support.for_each import for_each
from tests.support.heap_runs import HeapRuns

RUNS = HeapRuns(HanoiAny())


def lengths(problem):
    """The least number of moves to each state, by a search."""
    found = levels(RUNS.domain, RUNS.domain.initial(problem))
    return {state.at: distance for distance, level in enumerate(found) for state in level}


def length(problem):
    assert RUNS.domain.is_goal(problem, RUNS(problem).state)
    return len(RUNS.actions(problem))


@for_each("n", (1, 2, 3))
def test_the_shortest_way_leads_from_any_state_to_any_other_on_three_pegs(n):
    states = list(product((1, 2, 3), repeat=n))
    for start in states if n < 3 else random.Random(0).sample(states, 4):
        least = lengths(Spread(3, start, start))
        for goal in states:
            assert length(Spread(3, start, goal)) == least[goal]


def test_the_shortest_way_is_found_among_more_disks():
    rng = random.Random(1)
    start = tuple(rng.choices((1, 2, 3), k=7))
    least = lengths(Spread(3, start, start))
    for goal in rng.sample(list(least), 20):
        assert length(Spread(3, start, goal)) == least[goal]


@for_each("pegs", (4, 5, 9))
def test_more_pegs_are_used(pegs):
    rng = random.Random(pegs)
    for _ in range(5):
        start, goal = (tuple(rng.choices(range(1, pegs + 1), k=5)) for _ in range(2))
        length(Spread(pegs, start, goal))
        assert length(Spread(pegs, goal, goal)) == 0


def test_an_action_is_legal_or_says_why_not():
    domain = RUNS.domain
    state = Standing(3, (1, 1, 2))
    assert domain.apply(state, domain.actions.parse("Move D1 from P4 to P6.")) == Standing(3, (3, 1, 2))
    for action, reason in (
        ("Move D2 from P4 to P6.", "disk 2 can't be taken from peg 1, which has disk 1 on top"),
        ("Move D1 from P6 to P4.", "disk 1 can't be taken from peg 3, which is empty"),
        ("Move D3 from P5 to P4.", "disk 3 can't lie on the smaller disk 1 of peg 1"),
        ("Move D1 from P4 to P7.", "there is no peg P7: they are P4 to P6"),
        ("Move D1 from P1 to P5.", "there is no peg P1"),
    ):
        with pytest.raises(ActionFault, match=reason):
            domain.apply(state, domain.actions.parse(action))
    action = domain.actions.parse("Move D1 from P4 to P6.")
    assert domain.effect(state, action) == "Move disk 1 from 1 to 3"
    assert domain.actions_for(state, "Move disk 1 from 1 to 3") == (action,)
