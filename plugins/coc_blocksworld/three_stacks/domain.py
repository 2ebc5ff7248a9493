"""Blocks on a table with room for three stacks: any start, any goal. One goal stack after the other is built."""

import random
from collections.abc import Iterable
from itertools import combinations_with_replacement, pairwise, permutations

from coc_blocksworld.pictures import draw
from coc_blocksworld.three_stacks.records import (
    ACTIONS,
    INSTRUCTIONS,
    MOST_BLOCKS,
    NOTES,
    PLACES,
    PROBLEMS,
    Arrange,
    Done,
    Move,
    Rearrangement,
)
from coc_blocksworld.towers import Tower, Towers
from coc_core.domain import Column, Domain, HasScenes, Item, Scene
from coc_core.errors import ActionFault
from coc_core.types import Step


class ThreeStacks(Domain[Rearrangement, Arrange, Move, Towers], HasScenes[Towers]):
    """n blocks in three stacks. A block that is on top may be moved onto another stack, even an empty one.

    Every goal can be reached: while a stack is built, the other two hold the rest, and any block of theirs is uncovered
    by moving what lies on it to the other one.
    """

    name = "blocks-3"
    sizes = range(1, MOST_BLOCKS + 1)
    problems = PROBLEMS
    instructions = INSTRUCTIONS
    actions = ACTIONS
    notes = NOTES
    interchangeable_names = frozenset({"B"})
    continuation = "chain"

    def _problem(self, n: int, rng: random.Random) -> Rearrangement:
        return Rearrangement(_drawn(n, rng), _drawn(n, rng))

    def _every_problem(self, n: int) -> Iterable[Rearrangement]:
        """Every start, with every goal but for names: B1, B2, and so on follow each other in its stacks."""
        ends = list(combinations_with_replacement(range(n + 1), 2))
        goals = [_cut(range(1, n + 1), *each) for each in ends]
        orders = permutations(range(1, n + 1))
        return (Rearrangement(_cut(order, *each), goal) for order in orders for each in ends for goal in goals)

    def size(self, problem: Rearrangement) -> int:
        return sum(map(len, problem.goal))

    def start(self, problem: Rearrangement) -> Arrange:
        return _without_placed(problem.start, problem.goal)

    def expand(self, instruction: Arrange) -> Step[Arrange, Move]:
        stacks, goal = instruction.stacks, instruction.goal
        if not any(goal):
            return Step((Done(),))
        action = _next(stacks, goal)
        after = _without_placed(_moved(stacks, action), goal)
        return Step((action,), then=(after,) if any(after.goal) else ())

    def initial(self, problem: Rearrangement) -> Towers:
        return problem.start

    def apply(self, state: Towers, action: Move) -> Towers:
        source = state[action.src - 1]
        if source[-1:] != (action.block,):
            top = f"has B{source[-1]} on top" if source else "is empty"
            raise ActionFault(f"B{action.block} can't be taken from stack {action.src}, which {top}")
        return _moved(state, action)

    def neighbours(self, state: Towers) -> Iterable[Towers]:
        return (
            _moved(state, Move(state[src - 1][-1], src, dst)) for src, dst in permutations(PLACES, 2) if state[src - 1]
        )

    def is_goal(self, problem: Rearrangement, state: Towers) -> bool:
        return state == problem.goal

    def render(self, state: Towers, width: int) -> str:
        return draw([[f"B{block}" for block in stack] for stack in state], width)

    def scene(self, state: Towers) -> Scene:
        columns = zip(PLACES, state, strict=True)
        return Scene(
            tuple(
                Column(str(place), tuple(Item(f"B{block}", f"B{block}") for block in stack)) for place, stack in columns
            )
        )


def _next(stacks: Towers, goal: Towers) -> Move:
    """The policy's move, if something is left to do.

    A block that can go where it belongs does. Otherwise the first stack with blocks missing is cleared, and then the
    block that it needs next is uncovered. Nothing is put on top of that block.
    """
    tops = {stack[-1]: place for place, stack in zip(PLACES, stacks, strict=True) if stack}
    for place, stack, missing in zip(PLACES, stacks, goal, strict=True):
        if missing and not stack and missing[0] in tops:
            return Move(missing[0], tops[missing[0]], place)
    built = next(place for place in PLACES if goal[place - 1])
    holder = next(place for place in PLACES if goal[built - 1][0] in stacks[place - 1])
    src = built if stacks[built - 1] else holder
    dst = next(place for place in PLACES if place not in (built, src, holder))
    return Move(stacks[src - 1][-1], src, dst)


def _moved(stacks: Towers, action: Move) -> Towers:
    after = list(stacks)
    after[action.src - 1] = after[action.src - 1][:-1]
    after[action.dst - 1] = (*after[action.dst - 1], action.block)
    return tuple(after)


def _without_placed(stacks: Towers, goal: Towers) -> Arrange:
    """The stacks and the goal without the blocks that are in place."""
    placed = [
        next((at for at in range(len(one)) if one[at : at + 1] != other[at : at + 1]), len(one))
        for one, other in zip(stacks, goal, strict=True)
    ]
    left = (tuple(stack[count:] for stack, count in zip(each, placed, strict=True)) for each in (stacks, goal))
    return Arrange(*left)


def _drawn(n: int, rng: random.Random) -> Towers:
    """Stacks of n blocks, each with the same probability."""
    first, second = sorted(rng.sample(range(n + 2), 2))
    return _cut(rng.sample(range(1, n + 1), n), first, second - 1)


def _cut(blocks: Iterable[int], first: int, second: int) -> Towers:
    """Three stacks of the blocks in this order, which end after so many blocks."""
    row: Tower = tuple(blocks)
    return tuple(row[begin:end] for begin, end in pairwise((0, first, second, len(row))))
