"""What a flip does, how a stack looks, how far apart two of them can be, and how they are drawn."""

import random
from collections import Counter
from itertools import permutations
from math import factorial

import pytest

from coc_core.errors import ActionFault
from coc_problems import near_goal_problem
from coc_problems.plan import levels
from coc_puzzles.pancake.domain import FlipFrom, FlipInto, Pancake, Sort, undo_step
from tests.support.chi_squared import chi_squared, critical

DIAMETERS = [0, 1, 3, 4, 5, 7, 8]  # OEIS A058986, from n = 1


def test_the_diameters_are_the_pancake_numbers():
    pancake = Pancake()
    for n, diameter in enumerate(DIAMETERS, 1):
        found = list(levels(pancake, tuple(range(1, n + 1))))
        assert len(found) - 1 == diameter
        assert sum(map(len, found)) == factorial(n)


def test_a_flip_names_a_pancake_or_its_place():
    pancake = Pancake()
    assert pancake.apply((2, 3, 1), FlipFrom(3)) == (2, 1, 3)
    assert pancake.apply((2, 3, 1), FlipInto(1)) == (1, 3, 2)
    assert pancake.effect((2, 3, 1), FlipFrom(3)) == "flip 2"
    assert pancake.effect((2, 3, 1), FlipFrom(1)) is None
    for flip in (FlipFrom(4), FlipInto(4)):
        with pytest.raises(ActionFault, match="no pancake P4"):
            pancake.apply((2, 3, 1), flip)


def test_pictures():
    assert Pancake().render((2, 1, 3), 5) == " █\n███\n▐█▌\n───"
    assert Pancake().render((2, 1, 3), 2) == "P2 P1 P3"


def test_starts_are_uniform_permutations():
    counts = Counter(Pancake().problem(4, seed).start for seed in range(6_000))
    orders = list(permutations(range(1, 5)))
    assert set(counts) == set(orders)
    assert chi_squared([counts[order] for order in orders]) < critical(len(orders))


def test_of_nearly_sorted_stacks_the_rest_is_in_order():
    starts = [near_goal_problem(Pancake(), 12, seed).start for seed in range(2_000)]
    in_order = [sum(pancake == place for place, pancake in enumerate(start, 1)) for start in starts]
    assert set(in_order) == {*range(13)} - {11}  # one pancake alone can't be out of place
    assert 4 < sum(in_order) / len(starts) < 11  # of a drawn stack it is one
    first = Counter(next((place for place in range(12) if start[place] != place + 1), None) for start in starts)
    assert set(first) == {*range(11), None}
    assert min(first.values()) > 40
    assert near_goal_problem(Pancake(), 1).start == (1,)


def test_undo_step_inverts_a_step():
    rng = random.Random(0)
    for n in range(1, 7):
        for order in Pancake().every_problem(n):
            before = undo_step(order.start, rng)
            if before == order.start:
                assert n == 1 or order.start[0] != 1
                continue
            step = Pancake().expand(Sort(before, order.goal))
            assert (step.then or (step.last,)) == (Sort(order.start, order.goal),)
