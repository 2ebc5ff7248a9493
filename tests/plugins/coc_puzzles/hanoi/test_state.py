from hypothesis import given, strategies as st

from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower

HANOI = Hanoi()
initial, neighbours = HANOI.initial, HANOI.neighbours


def pegs(state):
    return tuple(tuple(disk for disk, at in enumerate(state, 1) if at == peg) for peg in HANOI.pegs)


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
