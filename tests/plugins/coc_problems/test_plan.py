"""Validating and judging plans, without a model or a memory."""

from itertools import chain, repeat

from coc_problems import validate
from coc_problems.plan import Validation
from coc_puzzles.blocksworld.domain import OneTower
from coc_puzzles.blocksworld.rules import Move, Rearrangement

SWAP = Rearrangement(((1, 2),), (2, 1))


def moves(*blocks):
    return [Move(block) for block in blocks]


def test_a_plan_is_complete_incomplete_or_illegal():
    domain = OneTower()
    assert validate(domain, SWAP, moves(2, 1, 2, 1)) == Validation("complete", 2)
    assert validate(domain, SWAP, moves(2, 1)) == Validation("incomplete", 1)
    assert validate(domain, SWAP, moves(2, 2, 3)) == Validation("illegal", 1, 2, "there is no block B3")


def test_a_plan_is_read_up_to_its_first_illegal_action():
    endless = chain(moves(2, 1), repeat(Move(3)))
    assert validate(OneTower(), SWAP, endless).at == 2
    assert next(endless) == Move(3)
