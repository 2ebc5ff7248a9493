"""Which goals contradict themselves, compared with a search, and what a goal is completed to."""

from itertools import combinations

from coc_core.domain import parse_problem
from coc_puzzles.blocksworld.blocks.problem import HAND, completed, contradiction
from coc_puzzles.blocksworld.towers import TABLE
from tests.support.block_problems import DOMAIN, plan_of, problem_of
from tests.support.block_states import atoms, distances, every_atom, every_state
from tests.support.for_each import for_each


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
    """All goals of few atoms: those that a search can't reach, and no others, contradict themselves."""
    names, unsolvable = "abc"[:n], 0
    states = every_state(names)
    held, found = {state: atoms(state) for state in states}, {state: distances(state) for state in states}
    for count in range(most + 1):
        for goal in combinations(every_atom(names), count):
            good = [state for state in states if set(goal) <= held[state]]
            assert (contradiction(goal) is None) == bool(good), goal
            unsolvable += not good
            for start in states if good else ():
                optimum = min(found[start][state] for state in good)
                taken = len(plan_of(problem_of(start, goal)))
                assert optimum <= taken <= 2 * optimum, (start, goal)
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
