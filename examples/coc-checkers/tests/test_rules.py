from itertools import product

import pytest

import simulator
from coc_checkers.domain import Checkers
from coc_checkers.records import ACTIONS, INSTRUCTIONS, SIDES, Back, Leap, Move, Out, Row, Swap
from coc_core.errors import ActionFault, UsageError
from coc_core.types import Expectation
from coc_problems import optimum

CHECKERS = Checkers()
SMALL = range(1, 5)


def attempt(state, action):
    try:
        return CHECKERS.apply(state, action)
    except ActionFault:
        return None


@pytest.mark.parametrize("n", SMALL)
def test_the_legal_moves_are_those_of_the_simulator(n):
    cells = range(1, 2 * n + 3)
    for row in simulator.reachable(n):
        moves = [Move(by, src, dst) for by, src, dst in product(SIDES, cells, cells)]
        after = {ACTIONS.format(move): state for move in moves if (state := attempt(row, move)) is not None}
        assert after == simulator.successors(row)
        assert sorted(CHECKERS.neighbours(row)) == sorted(after.values())


@pytest.mark.parametrize("n", SMALL)
def test_the_shortest_plan_is_as_long_as_expected(n):
    length = CHECKERS.expect(Row(n)).actions
    assert length == (n + 1) ** 2 - 1
    assert simulator.reachable(n)[simulator.goal(n)] == length
    assert optimum(CHECKERS, Row(n), 10_000) == length


def test_there_is_one_problem_of_each_size():
    assert list(CHECKERS.every_problem(3)) == [CHECKERS.problem(3)] == [CHECKERS.problem(3, seed=7)]
    assert CHECKERS.expect(Row(20)) == Expectation(actions=440, steps=460)
    with pytest.raises(UsageError, match="checkers has no problem of size n=0"):
        CHECKERS.problem(0)


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (Swap("red", 1, 3, 5), "SWAP by=red k=1 low=3 high=5"),
        (Out("blue", 0, 4), "OUT by=blue jumps=0 empty=4"),
        (Back("red", 2, 7), "BACK by=red jumps=2 empty=7"),
        (Leap("blue", 3, 1), "LEAP by=blue jumps=3 empty=1"),
    ],
)
def test_each_instruction_has_its_text(record, text):
    assert INSTRUCTIONS.format(record) == text
    assert INSTRUCTIONS.parse(text) == record


@pytest.mark.parametrize(
    "text",
    [
        "SWAP by=red k=1 low=3 high=6",
        "SWAP by=green k=1 low=3 high=5",
        "SWAP by=red k=0 low=4 high=4",
        "SWAP by=red k=1 low=0 high=2",
        "OUT by=red jumps=1 empty=3",
        "OUT by=blue jumps=0 empty=2001",
        "BACK by=red jumps=-1 empty=3",
        "BACK by=red jumps=1 empty=3",
        "LEAP by=red jumps=0 empty=3",
        "LEAP by=red jumps=2 empty=04",
        "LEAP by=red jumps=2 empty=4",
        "JUMP by=red",
    ],
)
def test_malformed_instructions_are_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 — each has a message of its own
        INSTRUCTIONS.parse(text)


def test_an_unknown_colour_is_named():
    with pytest.raises(ValueError, match=r"^'green' is not a colour; choose red or blue$"):
        INSTRUCTIONS.parse("OUT by=green jumps=0 empty=2")


def test_a_row_is_drawn_within_the_width():
    row = CHECKERS.initial(Row(2))
    assert CHECKERS.render(row, 9) == "R R _ B B"
    assert CHECKERS.render(row, 8) == "RR_BB"
    assert CHECKERS.render(row, 2) == "RR\n_B\nB"


def test_a_scene_has_a_column_for_each_cell_and_each_checker_once():
    columns = CHECKERS.scene("RB_RB").columns
    assert [column.label for column in columns] == ["1", "2", "3", "4", "5"]
    assert [item.name for column in columns for item in column.items] == ["R1", "B1", "R2", "B2"]
    assert columns[2].items == ()
