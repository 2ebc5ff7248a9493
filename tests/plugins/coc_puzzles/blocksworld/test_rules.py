"""What `Move block` does, and how the towers look."""

import pytest

from coc_core.errors import ActionFault
from coc_problems.plan import levels
from coc_puzzles.blocksworld.domain import Move, OneTower, Rearrangement, SeveralTowers, Stack

SWAP = Rearrangement(((1, 2),), (2, 1))


def after(domain, problem, *blocks):
    state = domain.initial(problem)
    for block in blocks:
        state = domain.apply(state, Move(block))
    return state


def test_a_block_goes_to_the_table_first_and_onto_the_new_tower_later():
    domain = OneTower()
    state, said = domain.initial(SWAP), []
    for block in (2, 1, 2, 1):
        said.append(domain.effect(state, Move(block)))
        state = domain.apply(state, Move(block))
    assert said == ["b2 from b1 to table", None, None, "b1 from table to b2"]
    assert domain.is_goal(SWAP, state)


def test_a_block_moved_twice_in_a_row_leaves_a_tower_standing():
    state = after(OneTower(), Rearrangement(((1, 2, 3),), (1, 2, 3)), 3, 3, 3)
    assert OneTower().effect(state, Move(2)) == "b2 from b1 to table"
    with pytest.raises(ActionFault, match="B1 can't be moved: B2 lies on it"):
        OneTower().apply(state, Move(1))


def test_every_arrangement_can_be_reached():
    # Lah numbers: arrangements of n labelled blocks in any number of stacks (OEIS A000262).
    domain = OneTower()
    assert [sum(map(len, levels(domain, domain.initial(domain.problem(n))))) for n in range(1, 6)] == [
        1,
        3,
        13,
        73,
        501,
    ]


def test_more_than_the_goal_is_refused():
    with pytest.raises(ValueError, match="more is built"):
        Stack(((1,), (2,)), (1, 2))


def test_pictures():
    domain = SeveralTowers()
    state = domain.initial(Rearrangement(((2, 1), (3,)), (1, 2, 3)))
    assert domain.render(state, 10) == "[B1]\n[B2]  [B3]\n────  ────"
    assert domain.render(state, 9) == "B2 B1\nB3"
