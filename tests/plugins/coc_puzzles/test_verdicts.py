"""Plans of the puzzles for each verdict: optimal, suboptimal, incomplete and illegal, with the reason and the action."""

from itertools import starmap

from coc_problems import optimum, validate
from coc_puzzles.blocksworld.blocks.policy import Blocks
from coc_puzzles.blocksworld.blocks.problem import Problem
from coc_puzzles.blocksworld.blocks.rules import PickUp, PutDown, Stack, Unstack
from coc_puzzles.blocksworld.domain import Move, OneTower, Rearrangement
from coc_puzzles.hanoi import instructions as hanoi
from coc_puzzles.hanoi.domain import Hanoi
from coc_puzzles.hanoi.four_pegs import HanoiFour
from coc_puzzles.hanoi.instructions import Tower
from coc_puzzles.pancake.domain import FlipFrom, FlipInto, Order, Pancake
from coc_puzzles.river.domain import Crossing, RiverCrossing
from tests.support.for_each import for_each


def disks(*moves):
    return tuple(starmap(hanoi.Move, moves))


def towers(*blocks):
    return tuple(map(Move, blocks))


def rows(*crossings):
    """The crossings of these people, to the right and back in turn."""
    banks = ("right", "left") * len(crossings)
    return tuple(
        RiverCrossing.actions.parse(f"Row [{each}] to the {bank} bank")
        for each, bank in zip(crossings, banks, strict=False)
    )


T1, T2, T3, BACKWARDS, T4 = Tower(1), Tower(2), Tower(3), Tower(2, 3, 1), Tower(3, 1, 4)
THREE_PEGS = (
    (T1, disks((1, 1, 3)), "optimal"),
    (T1, disks((1, 1, 2), (1, 2, 3)), "suboptimal"),
    (T1, (), "incomplete"),
    (T1, disks((1, 2, 3)), "illegal", "peg 2, which is empty", 0),
    (T2, disks((1, 1, 2), (2, 1, 3), (1, 2, 3)), "optimal"),
    (BACKWARDS, disks((1, 3, 2), (2, 3, 1), (1, 2, 1)), "optimal"),
    (T2, disks((1, 1, 2), (2, 1, 3)), "incomplete"),
    (T2, disks((1, 1, 2), (2, 1, 2)), "illegal", "the smaller disk 1 of peg 2", 1),
    (T2, disks((2, 1, 3)), "illegal", "peg 1, which has disk 1 on top", 0),
    (T3, disks((1, 1, 3), (2, 1, 2), (1, 3, 2), (3, 1, 3), (1, 2, 1), (2, 2, 3), (1, 1, 3)), "optimal"),
)
FOUR_PEGS = (
    (T4, disks((1, 1, 2), (2, 1, 3), (3, 1, 4), (2, 3, 4), (1, 2, 4)), "optimal"),
    (T4, disks((1, 1, 4), (2, 1, 3), (1, 4, 3), (3, 1, 4), (1, 3, 1), (2, 3, 4), (1, 1, 4)), "suboptimal"),
    (T4, disks((1, 1, 2), (2, 1, 3), (3, 1, 4)), "incomplete"),
    (T4, disks((1, 1, 2), (2, 1, 2)), "illegal", "the smaller disk 1 of peg 2", 1),
    (T4, disks((1, 1, 2), (3, 1, 4)), "illegal", "peg 1, which has disk 2 on top", 1),
)
SORTED, UPSIDE_DOWN, TWISTED = (Order(start, (1, 2, 3)) for start in ((1, 2, 3), (3, 2, 1), (2, 1, 3)))
PANCAKES = (
    (SORTED, (), "optimal"),
    (SORTED, (FlipFrom(3), FlipInto(3)), "optimal"),
    (UPSIDE_DOWN, (FlipInto(1),), "optimal"),
    (UPSIDE_DOWN, (FlipFrom(1), FlipInto(1)), "optimal"),
    (UPSIDE_DOWN, (FlipFrom(2), FlipFrom(1), FlipInto(1)), "suboptimal"),
    (TWISTED, (FlipFrom(1), FlipInto(1), FlipFrom(2), FlipInto(2)), "optimal"),
    (TWISTED, (FlipFrom(1),), "incomplete"),
    (TWISTED, (FlipFrom(4),), "illegal", "no pancake P4", 0),
    (TWISTED, (FlipFrom(1), FlipInto(9)), "illegal", "no pancake P9", 1),
)
B1, B_SWAP, B_SAME = Rearrangement(((1,),), (1,)), Rearrangement(((1, 2),), (2, 1)), Rearrangement(((1, 2),), (1, 2))
ONE_TOWER = (
    (B1, (), "optimal"),
    (B1, towers(1, 1), "optimal"),
    (B_SWAP, towers(2, 1, 2, 1), "optimal"),
    (B_SWAP, towers(2, 2, 2, 1), "optimal"),
    (B_SAME, (), "optimal"),
    (B_SAME, towers(2, 1, 1, 2), "suboptimal"),
    (B_SWAP, towers(2, 1), "incomplete"),
    (B_SWAP, towers(2, 1, 1, 2), "incomplete"),
    (B_SWAP, towers(1), "illegal", "B2 lies on it", 0),
    (B_SWAP, towers(3), "illegal", "no block B3", 0),
    (B_SWAP, towers(2, 1, 2, 2), "illegal", "on itself", 3),
    (B_SWAP, towers(2, 1, 2, 1, 2), "illegal", "B1 lies on it", 4),
)
SWAP = Problem((("a", "b"),), (), (("on", "a", "b"),))
CLEAR = Problem((("a", "b"), ("c",)), (), (("clear", "a"), ("handempty",)))
HELD = Problem((("a",),), ("b",), (("on", "b", "a"),))
FETCH = Problem((("a", "b"),), (), (("holding", "a"),))
SAME = Problem((("a",),), ("b",), (("clear", "a"),))
FREED = (Unstack(2, 1), PutDown(2))
BLOCKS = (
    (SAME, (), "optimal"),
    (SAME, (PutDown(2),), "suboptimal"),
    (SWAP, (*FREED, PickUp(1), Stack(1, 2)), "optimal"),
    (SWAP, (*FREED, PickUp(1), PutDown(1), PickUp(1), Stack(1, 2)), "suboptimal"),
    (SWAP, FREED, "incomplete"),
    (CLEAR, (Unstack(2, 1), Stack(2, 3)), "optimal"),
    (CLEAR, (Unstack(2, 1),), "incomplete"),
    (HELD, (Stack(2, 1),), "optimal"),
    (HELD, (PutDown(2), PickUp(2), Stack(2, 1)), "suboptimal"),
    (FETCH, (*FREED, PickUp(1)), "optimal"),
    (SWAP, (PickUp(1),), "illegal", "b is on a", 0),
    (SWAP, (PickUp(2),), "illegal", "b is not on the table", 0),
    (SWAP, (Unstack(1, 2),), "illegal", "a is not on b", 0),
    (SWAP, (Unstack(2, 1), PickUp(1)), "illegal", "the hand is not empty: it holds b", 1),
    (SWAP, (PutDown(2),), "illegal", "the hand does not hold b", 0),
    (SWAP, (PickUp(3),), "illegal", "no block B3", 0),
    (HELD, (Stack(2, 2),), "illegal", "b is in the hand", 0),
    (CLEAR, (PickUp(3), Stack(3, 1)), "illegal", "b is on a", 1),
)
R1, R2, WIDE, R3 = Crossing(1, 2), Crossing(2, 2), Crossing(2, 3), Crossing(3, 4)
RIVER = (
    (R1, rows("A1, a1"), "optimal"),
    (R1, rows("a1", "a1", "A1, a1"), "suboptimal"),
    (R1, (), "incomplete"),
    (R1, rows("A1, a1", "A1"), "incomplete"),
    (R1, rows("A1", "a1"), "illegal", "a1 is not on the right bank", 1),
    (R1, rows("A2"), "illegal", "A2 is not on the left bank", 0),
    (R1, rows("A1", "A1")[1:], "illegal", "the boat is at the left bank already", 0),
    (R2, rows("A1, a1", "A1", "A1, A2", "a1", "a1, a2"), "optimal"),
    (R2, rows("a1, a2", "a1", "A1, A2", "a2", "a1, a2"), "optimal"),
    (R2, rows("A1, a1, A2"), "illegal", "the boat takes 2, not 3", 0),
    (R2, rows("a1, A2"), "illegal", "a1 is with A2, but without A1 in the boat", 0),
    (R2, rows("A1"), "illegal", "a1 is with A2, but without A1 on the left bank", 0),
    (R2, rows("a1, a2", "a1", "A1, a1"), "illegal", "without A2 on the right bank", 2),
    (WIDE, rows("A1, a1, A2", "a1", "a1, a2"), "optimal"),
    (R3, rows("A2, a2, A3, a3", "A2, a2", "A1, a1, A2, a2"), "optimal"),
)


EVERY = {Hanoi(): THREE_PEGS, HanoiFour(): FOUR_PEGS, Pancake(): PANCAKES, OneTower(): ONE_TOWER}
EVERY |= {Blocks(): BLOCKS, RiverCrossing(): RIVER}


@for_each("domain, case", [(domain, case) for domain, cases in EVERY.items() for case in cases])
def test_each_plan_has_its_verdict(domain, case):
    problem, plan, verdict, reason, at = (*case, "", None)[:5]
    found = validate(domain, problem, plan)
    judged = found.verdict
    if judged == "complete":
        judged = "optimal" if found.moves == optimum(domain, problem) else "suboptimal"
    assert (judged, found.at) == (verdict, at)
    assert reason in found.reason
