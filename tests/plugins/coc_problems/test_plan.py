"""The worth of plans, without a model or a memory: judged, and by breadth-first search, the shortest."""

from itertools import chain, repeat

import pytest

from coc_core.errors import UsageError
from coc_problems import check_searchable, optimum, validate
from coc_problems.plan import Validation, levels
from coc_puzzles.blocksworld.domain import Move, OneTower, Rearrangement
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.pancake.domain import Pancake
from tests.support.for_each import for_each
from tests.support.toy_parts import Line, Queue

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


@for_each("n", range(1, 7))
def test_the_optimum_of_hanoi_is_its_closed_form(n):
    domain = Hanoi()
    assert optimum(domain, domain.problem(n)) == 2**n - 1
    assert sum(map(len, levels(domain, domain.initial(domain.problem(n))))) == 3**n


def test_a_shortest_plan_may_put_a_block_directly_in_its_place():
    assert optimum(OneTower(), Rearrangement(((1, 2, 3),), (1, 2, 3))) == 0
    assert optimum(OneTower(), Rearrangement(((1, 2, 3),), (3, 2, 1))) == 3


def test_a_search_that_is_too_large_is_refused():
    domain = Pancake()
    check_searchable(domain, domain.problem(5), most=120)
    with pytest.raises(UsageError, match="pancake has more than 119 states of this size"):
        check_searchable(domain, domain.problem(5), most=119)
    with pytest.raises(UsageError, match="choose a smaller n"):
        check_searchable(domain, domain.problem(40))


def test_an_unsolvable_problem_has_no_optimum():
    class Stuck(Queue):
        def neighbours(self, state):
            return ()

    assert optimum(Stuck(), Line((1, 2))) is None
    assert optimum(Queue(), Line((1, 2))) == 2
