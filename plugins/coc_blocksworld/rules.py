"""The rules of BlocksWorld: problems, states and actions of both of the paper's variants, and no policy."""

import random
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, permutations
from typing import TypeVar

from attrs import evolve

from coc_blocksworld import world
from coc_blocksworld.pictures import draw
from coc_blocksworld.records import Move, Rearrangement
from coc_blocksworld.towers import BLOCK, MOST_BLOCKS, ONE_TOWER, SEVERAL_TOWERS, TOWER, Tower, Towers
from coc_blocksworld.world import MOVES, PLACE, TABLE, Blocks, PhysicalMove
from coc_core.domain import Column, Domain, HasScenes, Item, ReadsMoves, Scene
from coc_core.errors import ActionFault
from coc_core.text import Codec, Form, Forms
from coc_core.types import Expectation

InstructionT = TypeVar("InstructionT")


class BlocksworldRules(Domain[Rearrangement, InstructionT, Move, Blocks], HasScenes[Blocks], ReadsMoves[Move, Blocks]):
    """The rules of both variants, which differ in the towers that a problem starts with."""

    sizes = range(1, MOST_BLOCKS + 1)
    actions = Forms(Form.of(Move, "Move block {block}", block=BLOCK))
    interchangeable_names = frozenset({"B"})
    continuation = "chain"

    def _problem(self, n: int, rng: random.Random) -> Rearrangement:
        blocks = range(1, n + 1)
        start = self._towers(rng.sample(blocks, n), rng)
        return Rearrangement(start, tuple(rng.sample(blocks, n)))

    @abstractmethod
    def _towers(self, blocks: list[int], rng: random.Random) -> Towers:
        """Draw towers of `blocks`, in this order, for the start of a problem."""

    def _every_problem(self, n: int) -> Iterable[Rearrangement]:
        goal = tuple(range(1, n + 1))
        return (Rearrangement(start, goal) for blocks in permutations(goal) for start in self._every_towers(blocks))

    @abstractmethod
    def _every_towers(self, blocks: Tower) -> Iterable[Towers]:
        """All towers of `blocks`, in this order, that a problem can start with."""

    def size(self, problem: Rearrangement) -> int:
        return len(problem.goal)

    def initial(self, problem: Rearrangement) -> Blocks:
        return world.placed(problem.start)

    def apply(self, state: Blocks, action: Move) -> Blocks:
        block, place = action.block, world.destination(state, action.block)
        below = (*state.below[: block - 1], place, *state.below[block:])
        building = state.moves >= len(state.below)
        return evolve(state, below=below, moves=state.moves + 1, top=block if building else state.top)

    def effect(self, state: Blocks, action: Move) -> str | None:
        """The move with its origin and destination, or None if it changes nothing."""
        place, lower = world.destination(state, action.block), state.below[action.block - 1]
        return None if place == lower else MOVES.format(PhysicalMove(action.block, lower, place))

    def actions_for(self, state: Blocks, move: str) -> Sequence[Move]:
        """The last of these makes the move.

        The ones before it stay where they are, and bring the strategy to where it puts the block there.
        """
        wanted = MOVES.parse(move)
        block, place, found = wanted.block, wanted.to, list[Move]()
        while world.destination(state, block) != place:
            still = world.still(state, place)
            if still is None:
                where = PLACE.format(place)
                raise ActionFault(
                    f"block B{block} can't be put on {where} now: all blocks go to the table, then on the new tower"
                )
            found.append(Move(still))
            state = self.apply(state, found[-1])
        lower = state.below[block - 1]
        if lower != wanted.origin:
            raise ActionFault(f"block B{block} is on {PLACE.format(lower)}, not on {PLACE.format(wanted.origin)}")
        return (*found, Move(block))

    def neighbours(self, state: Blocks) -> Iterable[Blocks]:
        """The state after each move of a clear block to the table or onto a clear block. Moves are not counted."""
        clear = {*range(TABLE, len(state.below) + 1)}.difference(state.below) | {TABLE}
        for block in clear - {TABLE}:
            for place in clear - {block, state.below[block - 1]}:
                yield Blocks((*state.below[: block - 1], place, *state.below[block:]))

    def is_goal(self, problem: Rearrangement, state: Blocks) -> bool:
        return world.towers(state) == (problem.goal,)

    def render(self, state: Blocks, width: int) -> str:
        """Draw the towers side by side, or as lines of text, from the table up, if they don't fit."""
        return draw([[f"B{block}" for block in tower] for tower in world.towers(state)], width)

    def scene(self, state: Blocks) -> Scene:
        """Each block has its own place on the table, so that towers don't move sideways."""
        by_base = {tower[0]: tower for tower in world.towers(state)}
        items = ([Item(f"B{b}", f"B{b}") for b in by_base.get(base, ())] for base in range(1, len(state.below) + 1))
        return Scene(tuple(Column("", tuple(each)) for each in items))

    def expect(self, problem: Rearrangement) -> Expectation:
        """2n moves in 2n steps: each block is put on the table once and on the tower once."""
        return Expectation(actions=2 * len(problem.goal), steps=2 * len(problem.goal))


def _problems(start: Codec[Towers]) -> Forms[Rearrangement]:
    return Forms(Form.of(Rearrangement, "start={start} & goal={goal}", start=start, goal=TOWER))


class OneTowerRules(BlocksworldRules[InstructionT]):
    """The paper's BlocksWorld: all blocks start in one tower."""

    name = "blocksworld"
    problems = _problems(ONE_TOWER)

    def _towers(self, blocks: list[int], rng: random.Random) -> Towers:
        return (tuple(blocks),)

    def _every_towers(self, blocks: Tower) -> Iterable[Towers]:
        return ((blocks,),)


class SeveralTowersRules(BlocksworldRules[InstructionT]):
    """The paper's Extended BlocksWorld: the number of towers is uniform from 1 to n."""

    name = "blocksworld-extended"
    problems = _problems(SEVERAL_TOWERS)

    def _towers(self, blocks: list[int], rng: random.Random) -> Towers:
        between = range(1, len(blocks))
        return _cut(tuple(blocks), sorted(rng.sample(between, rng.randint(1, len(blocks)) - 1)))

    def _every_towers(self, blocks: Tower) -> Iterable[Towers]:
        between = range(1, len(blocks))
        return (_cut(blocks, cuts) for count in range(len(blocks)) for cuts in combinations(between, count))


def _cut(blocks: Tower, cuts: Sequence[int]) -> Towers:
    return tuple(blocks[first:last] for first, last in pairwise((0, *cuts, len(blocks))))
