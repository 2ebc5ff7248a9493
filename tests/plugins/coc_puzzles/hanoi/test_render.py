from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Move, Tower
from tests.support.for_each import for_each

HANOI = Hanoi()
initial, move, render = HANOI.initial, HANOI.apply, HANOI.render


def test_the_disks_are_bars_where_there_is_room():
    state = move(initial(Tower(3)), Move(1, 1, 3))
    assert render(state, 80).splitlines() == [
        " │    │    │",
        "▐█▌   │    │",
        "███   │    █",
        "───  ───  ───",
        " 1    2    3",
    ]


@for_each("n", [1, 2, 8, 20, 64])
@for_each("width", [22, 40, 80, 400])
def test_a_picture_is_as_high_as_its_tower_and_fits_the_width(n, width):
    lines = render(initial(Tower(n)), width).splitlines()
    assert len(lines) == n + 2
    assert max(map(len, lines)) <= width
