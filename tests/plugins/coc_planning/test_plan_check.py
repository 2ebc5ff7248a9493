"""Checking plans: the first wrong action is found where a simulator written from the rules finds it."""

from itertools import chain, repeat

import pytest
from hypothesis import given, strategies as st

from coc_core.domain import JsonPlan, LineFormat, TextPlan
from coc_core.errors import ArtefactError
from coc_planning.validation import check_plan, recognised
from coc_problems import read_move
from coc_puzzles.blocksworld.domain import OneTower, Rearrangement
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.instructions import Tower
from coc_puzzles.pancake.domain import Order, Pancake
from tests.support.plan_formats import form_of, solved, written
from tests.support.puzzle_simulators import arrange_blocks, move_disks

TWO = TextPlan(Hanoi(), Tower(2))
GOOD = ["Move disk 1 from 1 to 2\n", "Move disk 2 from 1 to 3\n", "Move disk 1 from 2 to 3\n"]


def first_wrong(simulate, lines):
    """The number of the first line that a simulator rejects; None if it takes them all."""
    for count in range(1, len(lines) + 1):
        try:
            simulate(lines[:count])
        except (AssertionError, ValueError):
            return count
    return None


def checked(form, lines):
    return check_plan(form, [f"{line}\n" for line in lines])


def agreeing(form, lines, simulate, solved):
    """The check of a plan, which says what a simulator says: the first wrong line, or whether its end is the goal."""
    check = checked(form, lines)
    assert check.at == first_wrong(simulate, lines)
    if check.at is None:
        assert check.verdict == ("solved" if solved(simulate(lines)) else "unsolved")
        assert (check.actions, check.moves) == (len(lines), len(lines))
    else:
        assert (check.verdict, check.actions, check.action) == ("illegal", check.at - 1, lines[check.at - 1])


pegs = st.integers(1, 3)
moves = st.tuples(st.integers(1, 3), pegs, pegs).filter(lambda move: move[1] != move[2])


@given(st.integers(0, 7), st.lists(moves, max_size=6))
def test_random_disks_are_rejected_where_the_simulator_rejects_them(right, others):
    problem, plan = solved("hanoi", 3)
    lines = [*written(form_of("hanoi", "text", problem), plan).splitlines()[:right]]
    lines += [f"Move disk {disk} from {src} to {dst}" for disk, src, dst in others]
    ended = lambda pegs: pegs[2] == [3, 2, 1]  # noqa: E731
    agreeing(TextPlan(Hanoi(), problem), lines, lambda some: move_disks(3, 3, 1, some), ended)


class Moves(LineFormat):
    """Physical moves, as plans in PDDL are read by."""

    def _line(self, state, action):
        return self.domain.effect(state, action) or ""

    def read(self, state, entry):
        return read_move(self.domain, state, entry)


places = st.sampled_from(["b1", "b2", "b3", "table"])


@given(st.permutations([1, 2, 3]), st.lists(st.tuples(st.sampled_from(["b1", "b2", "b3"]), places, places), max_size=5))
def test_random_blocks_are_not_taken_where_the_simulator_rejects_them(goal, others):
    """The strategy allows fewer moves than the rules do, so it may reject a plan earlier, but never later."""
    lines = [f"{block} from {lower} to {place}" for block, lower, place in others if lower != place]
    check = checked(Moves(OneTower(), Rearrangement(((1, 2, 3),), tuple(goal))), lines)
    wrong = first_wrong(lambda some: arrange_blocks([["b1", "b2", "b3"]], some), lines)
    assert check.at == wrong or check.at < (wrong or len(lines) + 1)
    if check.at is None:
        stacks = arrange_blocks([["b1", "b2", "b3"]], lines)
        assert (check.verdict == "solved") == (stacks == [[f"b{block}" for block in goal]])


def test_a_plan_is_read_up_to_its_first_illegal_action():
    endless = chain(GOOD, repeat(GOOD[0]))
    assert check_plan(TWO, endless).at == 4
    assert next(endless) == GOOD[0]


def test_actions_that_move_nothing_are_counted_apart():
    check = checked(TextPlan(Pancake(), Order((1,), (1,))), ["Flip from where P1 is located."])
    assert (check.verdict, check.actions, check.moves) == ("solved", 1, 0)


def test_an_empty_plan_solves_what_is_solved():
    assert check_plan(TWO, []).verdict == "unsolved"
    assert check_plan(TextPlan(Pancake(), Order((1,), (1,))), []).verdict == "solved"


@pytest.mark.parametrize(
    "wrong", ["Fly to the moon", "Move disk 1 from 1 to 1", "Move disk 01 from 1 to 2", "\0\x1b[2J"]
)
def test_an_unknown_action_is_named_with_its_number(wrong):
    with pytest.raises(ArtefactError, match="action 2 of the plan is none of hanoi: ") as caught:
        check_plan(TWO, [GOOD[0], wrong])
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("before", [[], ["\n", "; from a planner\n"]])
def test_the_format_is_recognised_and_nothing_is_lost(before):
    problem = Order((2, 1), (1, 2))
    forms = [kind(Pancake(), problem) for kind in (TextPlan, JsonPlan)]
    for form, lines in zip(forms, (["Flip from where P1 is located.\n"], ["[\n", "]\n"]), strict=True):
        found, first, again = recognised(forms, [*before, *lines])
        assert (found, first, list(again)) == (form, lines[0], lines)


def test_what_is_in_no_format_is_not_recognised():
    found, first, again = recognised([TWO], ["hello\n", "world\n"])
    assert (found, first, list(again)) == (None, "hello\n", ["hello\n", "world\n"])
