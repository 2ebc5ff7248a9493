"""The four actions, the rules apart from coc's, and how the blocks look."""

from collections import Counter
from contextlib import suppress

from coc_core.domain import parse_problem
from coc_core.errors import ActionFault
from coc_puzzles.blocksworld.blocks.rules import PickUp, PutDown, Stack, Unstack
from tests.support.block_problems import DOMAIN, problem_of
from tests.support.block_states import atoms, every_atom, every_state, neighbours

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
    assert drawing(text, 23) == "hand: d\n[red-block]\n    [a]         [c]\n───────────────────────"
    assert drawing(text, 22) == "hand: d\na red-block\nc"
    assert drawing("start=[] & hand=[d] & goal=[]", 10) == "hand: d\n─"
