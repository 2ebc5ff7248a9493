from hypothesis import given, strategies as st

from coc_core.types import Expectation
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Call, Move, Tower
from tests.support.for_each import for_each

HANOI = Hanoi()


def test_the_policy_is_the_papers():
    assert HANOI.start(Tower(3)) == Call(3, 1, 3, 2)
    assert HANOI.start(Tower(3, 2, 1)) == Call(3, 2, 1, 3)
    assert HANOI.expand(Call(1, 1, 3, 2)).emits == (Move(1, 1, 3),)
    assert HANOI.expand(Move(2, 1, 3)).emits == (Move(2, 1, 3),)
    step = HANOI.expand(Call(3, 1, 3, 2))
    assert (step.emits, step.then) == ((), (Call(2, 1, 2, 3), Move(3, 1, 3), Call(2, 2, 3, 1)))


def test_the_length_of_a_run_is_known():
    assert HANOI.expect(Tower(1)) == Expectation(actions=1, steps=1)
    assert HANOI.expect(Tower(15)) == Expectation(actions=2**15 - 1, steps=49_150)
    assert HANOI.expect(Tower(20)) == Expectation(actions=1_048_575, steps=1_572_862)


def pegs(state):
    return tuple(tuple(disk for disk, at in enumerate(state, 1) if at == peg) for peg in HANOI.pegs)


@given(st.integers(1, 6), st.lists(st.integers(0, 5), max_size=30))
def test_every_way_keeps_all_disks_in_order_and_can_be_gone_back(n, choices):
    state = HANOI.initial(Tower(n))
    for choice in choices:
        nearby = list(HANOI.neighbours(state))
        assert 2 <= len(nearby) <= 3
        assert all(state in list(HANOI.neighbours(other)) for other in nearby)
        state = nearby[choice % len(nearby)]
        assert sorted(disk for pile in pegs(state) for disk in pile) == list(range(1, n + 1))
        assert all(list(pile) == sorted(pile) for pile in pegs(state))


def test_the_disks_are_bars_where_there_is_room():
    state = HANOI.apply(HANOI.initial(Tower(3)), Move(1, 1, 3))
    assert HANOI.render(state, 80).splitlines() == [
        " │    │    │",
        "▐█▌   │    │",
        "███   │    █",
        "───  ───  ───",
        " 1    2    3",
    ]


@for_each("n", [1, 2, 8, 20, 64])
@for_each("width", [22, 40, 80, 400])
def test_a_picture_is_as_high_as_its_tower_and_fits_the_width(n, width):
    lines = HANOI.render(HANOI.initial(Tower(n)), width).splitlines()
    assert len(lines) == n + 2
    assert max(map(len, lines)) <= width
