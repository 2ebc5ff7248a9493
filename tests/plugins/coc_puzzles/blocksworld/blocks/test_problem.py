"""Problems, states and goals: which are drawn, listed and contradict themselves; the four actions; how blocks look."""

from collections import Counter
from contextlib import suppress
from itertools import chain, combinations

import pytest

from coc_core.domain import parse_problem
from coc_core.errors import ActionFault
from coc_puzzles.blocksworld.blocks.problem import HAND, completed, contradiction
from coc_puzzles.blocksworld.blocks.rules import PickUp, PutDown, Stack, Unstack
from coc_puzzles.blocksworld.domain import TABLE
from tests.support.block_problems import DOMAIN, plan_of, problem_of
from tests.support.block_states import atoms, distances, every_atom, every_state, neighbours, play
from tests.support.for_each import for_each

NAMES = ("a", "b", "c")


def plain(state):
    """A state of the domain as `block_states` writes it."""
    above = {lower: block for block, lower in enumerate(state.below, 1)}
    towers = []
    for base in (block for block, lower in enumerate(state.below, 1) if lower == 0):
        tower = [base]
        while tower[-1] in above:
            tower.append(above[tower[-1]])
        towers.append(tuple(state.name(block) for block in tower))
    return frozenset(towers), tuple(state.name(above[-1]) for _ in above if -1 in above)[:1]


def every_action():
    for block in range(1, 4):
        yield from (PickUp(block), PutDown(block))
        yield from (kind(block, lower) for kind in (Stack, Unstack) for lower in range(1, 4))


def test_the_rules_are_those_of_the_book():
    for state in every_state(NAMES):
        start = DOMAIN.initial(problem_of(state, ()))
        assert plain(start) == state
        reached = []
        for action in every_action():
            with suppress(ActionFault):
                reached.append(plain(DOMAIN.apply(start, action)))
        assert Counter(reached) == Counter(map(plain, DOMAIN.neighbours(start))) == Counter(neighbours(state))


def test_atoms_hold_where_they_should():
    for state in every_state(NAMES):
        start = DOMAIN.initial(problem_of(state, ()))
        true = atoms(state)
        for atom in every_atom(NAMES):
            assert DOMAIN.is_goal(problem_of(state, [atom]), start) == (atom in true)
        assert DOMAIN.is_goal(problem_of(state, sorted(true)), start)


def drawing(text, width):
    return DOMAIN.render(DOMAIN.initial(parse_problem(DOMAIN, text)), width)


def test_pictures():
    text = "start=[[a, red-block], [c]] & hand=[d] & goal=[]"
    assert drawing(text, 37).splitlines() == [
        "             [red-block]",
        "[    d    ]  [    a    ]  [    c    ]",
        "───────────  ───────────  ───────────",
        "    hand",
    ]
    assert drawing(text, 36) == "hand d\na red-block\nc"
    assert drawing("start=[] & hand=[d] & goal=[]", 10) == "[d]\n────\nhand"


@for_each(
    ("goal", "reason"),
    [
        ("on a a", "the goal has a cycle: a on a"),
        ("on a b, on b a", "the goal has a cycle: a on b on a"),
        ("ontable d, on a b, on b c, on c a", "the goal has a cycle: a on b on c on a"),
        ("on a b, on a c", "'on a b' and 'on a c' contradict each other"),
        ("on a c, on b c", "'on a c' and 'on b c' contradict each other"),
        ("on a b, clear b", "'on a b' and 'clear b' contradict each other"),
        ("ontable a, on a b", "'ontable a' and 'on a b' contradict each other"),
        ("holding a, holding b", "'holding a' and 'holding b' contradict each other"),
        ("handempty, holding a", "'handempty' and 'holding a' contradict each other"),
        ("holding a, on b a", "'holding a' and 'on b a' contradict each other"),
        ("holding a, on a b", "'holding a' and 'on a b' contradict each other"),
        ("holding a, clear a", "'holding a' and 'clear a' contradict each other"),
        ("holding a, ontable a", "'holding a' and 'ontable a' contradict each other"),
        ("on a b, on a b, clear a, ontable b, handempty", None),
        ("holding a, clear b, on b c", None),
        ("", None),
    ],
)
def test_contradictions_have_a_reason(goal, reason):
    problem = parse_problem(DOMAIN, f"start=[[a], [b], [c], [d]] & hand=[] & goal=[{goal}]")
    assert contradiction(problem.goal) == DOMAIN.unsolvable(problem) == reason


def check_all_goals(n, most):
    """All goals of few atoms, and all states: those that a search can't reach, and no others, contradict themselves."""
    names, unsolvable = "abc"[:n], 0
    states = every_state(names)
    held, found = {state: atoms(state) for state in states}, {state: distances(state) for state in states}
    few = chain.from_iterable(combinations(every_atom(names), count) for count in range(most + 1))
    for goal in chain(few, map(sorted, held.values())):
        good = [state for state in states if set(goal) <= held[state]]
        assert (contradiction(goal) is None) == bool(good), goal
        unsolvable += not good
        for start in states if good else ():
            optimum = min(found[start][state] for state in good)
            lines = plan_of(problem_of(start, goal))
            assert play(start, lines) in good, (start, goal)
            assert optimum <= len(lines) <= 2 * optimum, (start, goal)
    return unsolvable


def test_a_search_agrees_about_one_and_two_blocks():
    assert [check_all_goals(n, 3) for n in (1, 2)] == [17, 184]


def test_a_search_agrees_about_three_blocks():
    assert check_all_goals(3, 3) == 925


@for_each(
    ("text", "places"),
    [
        # Free blocks stay if what is below them does.
        ("start=[[a, b, c]] & hand=[] & goal=[]", {"a": TABLE, "b": "a", "c": "b"}),
        ("start=[[a, b, c]] & hand=[] & goal=[clear a]", {"a": TABLE, "b": TABLE, "c": TABLE}),
        ("start=[[a, b, c]] & hand=[] & goal=[ontable b]", {"a": TABLE, "b": TABLE, "c": TABLE}),
        ("start=[[a, b], [c]] & hand=[] & goal=[on c a]", {"a": TABLE, "b": TABLE, "c": "a"}),
        ("start=[[a, b], [c]] & hand=[] & goal=[on c b]", {"a": TABLE, "b": "a", "c": "b"}),
        ("start=[[a, b]] & hand=[] & goal=[on a b]", {"a": "b", "b": TABLE}),
        # A block in the hand stays there if nothing else is to be done, and the goal lets it.
        ("start=[[a, b]] & hand=[c] & goal=[clear b]", {"a": TABLE, "b": "a", "c": HAND}),
        ("start=[[a, b]] & hand=[c] & goal=[clear a]", {"a": TABLE, "b": TABLE, "c": TABLE}),
        ("start=[[a, b]] & hand=[c] & goal=[clear c]", {"a": TABLE, "b": "a", "c": TABLE}),
        ("start=[[a, b]] & hand=[c] & goal=[handempty]", {"a": TABLE, "b": "a", "c": TABLE}),
        ("start=[[a, b]] & hand=[c] & goal=[holding b]", {"a": TABLE, "b": HAND, "c": TABLE}),
        ("start=[[a, b]] & hand=[c] & goal=[holding c, clear a]", {"a": TABLE, "b": TABLE, "c": HAND}),
    ],
)
def test_goals_are_completed(text, places):
    assert completed(parse_problem(DOMAIN, text)) == places


def state_of(problem):
    return frozenset(problem.start), problem.hand


def test_drawn_problems_are_of_all_kinds_and_can_be_solved():
    kinds = Counter()
    for seed in range(2_000):
        problem = DOMAIN.problem(1 + seed % 12, seed)
        assert DOMAIN.unsolvable(problem) is None
        state = state_of(problem)
        kinds["one tower"] += len(problem.start) == 1
        kinds["flat"] += all(len(tower) == 1 for tower in problem.start)
        kinds["several"] += 1 < len(problem.start) < len(problem.names)
        kinds["held"] += len(problem.hand)
        kinds["to be held"] += any(atom[0] == "holding" for atom in problem.goal)
        kinds["partial"] += len(problem.goal) <= len(problem.names)
        kinds["true already"] += set(problem.goal) <= atoms(state)
    assert min(kinds.values()) > 100, kinds


@pytest.mark.parametrize(("n", "shapes"), [(1, 2), (2, 3), (3, 5), (4, 8)])
def test_all_pairs_of_arrangements_are_listed_once(n, shapes):
    found = [(state_of(problem), problem.goal) for problem in DOMAIN.every_problem(n)]
    starts = set(every_state([f"B{number}" for number in range(1, n + 1)]))
    assert len(set(found)) == len(found) == shapes * len(starts)
    assert {start for start, _ in found} == starts
    assert all(sum(set(goal) == atoms(state) for state in starts) == 1 for goal in {goal for _, goal in found})
