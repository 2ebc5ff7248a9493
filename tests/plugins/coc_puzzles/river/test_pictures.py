from coc_puzzles.river.domain import RiverCrossing
from coc_puzzles.river.records import ACTIONS, Crossing

RIVER = RiverCrossing()
initial, row, render, scene = RIVER.initial, RIVER.apply, RIVER.render, RIVER.scene

AFTER = row(initial(Crossing(2, 2)), ACTIONS.parse("Row [A1, a1] to the right bank"))


def test_a_state_is_drawn_as_two_banks():
    assert render(AFTER, 80).splitlines() == [
        "      ~~~~~~~~~~~~~~~~ A1 a1",
        "A2 a2 ~~~~~~~~~~~~~~~~",
        r"      ~~~~~~~~~~~~\__/",
    ]


def test_a_scene_has_the_boat_at_its_bank():
    left, right = scene(AFTER).columns
    assert (left.label, [item.label for item in left.items]) == ("left bank", ["a2", "A2"])
    assert (right.label, [item.label for item in right.items]) == ("right bank", ["boat", "a1", "A1"])
