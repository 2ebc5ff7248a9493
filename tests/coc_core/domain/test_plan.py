"""Validating and judging plans, without a model or a memory."""

from itertools import chain, repeat

import pytest

from coc_blocksworld.domain import OneTower
from coc_blocksworld.records import Move, Rearrangement
from coc_core.domain import effects, judge, validate
from coc_core.domain.plan import Validation
from coc_core.errors import UsageError
from coc_pancake.domain import Pancake
from coc_pancake.records import FlipFrom, FlipInto

SWAP = Rearrangement(((1, 2),), (2, 1))


def moves(*blocks):
    return [Move(block) for block in blocks]


def test_effects_leave_out_what_changes_nothing():
    domain = OneTower()
    found = effects(domain, domain.initial(SWAP), moves(2, 1, 2, 1))
    assert list(found) == ["b2 from b1 to table", "b1 from table to b2"]


def test_a_plan_is_complete_incomplete_or_illegal():
    domain = OneTower()
    assert validate(domain, SWAP, moves(2, 1, 2, 1)) == Validation("complete", 2)
    assert validate(domain, SWAP, moves(2, 1)) == Validation("incomplete", 1)
    assert validate(domain, SWAP, moves(2, 2, 3)) == Validation("illegal", 1, 2, "there is no block B3")


def test_a_plan_is_read_up_to_its_first_illegal_action():
    endless = chain(moves(2, 1), repeat(Move(3)))
    assert validate(OneTower(), SWAP, endless).at == 2
    assert next(endless) == Move(3)


def test_the_verdict_compares_with_the_optimum():
    domain = Pancake()
    problem = domain.problem(3, next(seed for seed in range(99) if domain.problem(3, seed).start == (3, 2, 1)))
    assert judge(domain, problem, [FlipInto(1)]) == ("optimal", Validation("complete", 1))
    assert judge(domain, problem, [FlipFrom(2), FlipFrom(1), FlipInto(1)])[0] == "suboptimal"
    assert judge(domain, problem, [])[0] == "incomplete"
    assert judge(domain, problem, [FlipFrom(4)])[0] == "illegal"


def test_a_verdict_that_needs_a_large_search_is_refused():
    domain = Pancake()
    problem = domain.problem(7, 1)
    plan = [flip for pancake in range(1, 8) for flip in (FlipFrom(pancake), FlipInto(pancake))]
    assert validate(domain, problem, plan).verdict == "complete"
    with pytest.raises(UsageError, match="too many to search"):
        judge(domain, problem, plan, most=10)
