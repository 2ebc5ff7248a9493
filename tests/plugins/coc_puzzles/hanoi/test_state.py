import pytest
from hypothesis import given, strategies as st

from coc_core.errors import ActionFault
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Move, Tower

HANOI = Hanoi()
initial, move, neighbours, solved = HANOI.initial, HANOI.apply, HANOI.neighbours, HANOI.is_goal


def pegs(state):
    return tuple(tuple(disk for disk, at in enumerate(state, 1) if at == peg) for peg in HANOI.pegs)


def test_at_first_all_disks_lie_on_the_source():
    assert pegs(initial(Tower(3))) == ((1, 2, 3), (), ())
    assert pegs(initial(Tower(2, 3, 1))) == ((), (), (1, 2))


def test_a_move_takes_the_top_disk():
    before = initial(Tower(2))
    after = move(before, Move(1, 1, 2))
    assert pegs(after) == ((2,), (1,), ())
    assert pegs(before) == ((1, 2), (), ())


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Move(1, 2, 3), "disk 1 can't be taken from peg 2, which is empty"),
        (Move(2, 1, 3), "disk 2 can't be taken from peg 1, which has disk 1 on top"),
        (Move(64, 1, 3), "disk 64 can't be taken from peg 1, which has disk 1 on top"),
    ],
)
def test_a_disk_that_is_not_on_top_stays(action, reason):
    with pytest.raises(ActionFault, match=reason):
        move(initial(Tower(2)), action)


def test_a_disk_does_not_lie_on_a_smaller_one():
    with pytest.raises(ActionFault, match="disk 2 can't lie on the smaller disk 1 of peg 3"):
        move(move(initial(Tower(2)), Move(1, 1, 3)), Move(2, 1, 3))


def test_a_tower_is_solved_when_all_of_it_is_there():
    problem = Tower(2)
    state = initial(problem)
    for action in (Move(1, 1, 2), Move(2, 1, 3)):
        assert not solved(problem, state)
        state = move(state, action)
    assert not solved(problem, state)
    assert solved(problem, move(state, Move(1, 2, 3)))


@given(st.integers(1, 6), st.lists(st.integers(0, 5), max_size=30))
def test_every_way_keeps_all_disks_in_order_and_can_be_gone_back(n, choices):
    state = initial(Tower(n))
    for choice in choices:
        nearby = list(neighbours(state))
        assert 2 <= len(nearby) <= 3
        assert all(state in list(neighbours(other)) for other in nearby)
        state = nearby[choice % len(nearby)]
        assert sorted(disk for pile in pegs(state) for disk in pile) == list(range(1, n + 1))
        assert all(list(pile) == sorted(pile) for pile in pegs(state))
