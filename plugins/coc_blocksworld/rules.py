"""The rules of BlocksWorld: problems, states and actions of both of the paper's variants, and no policy."""

import random
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, permutations
from typing import TypeVar

from coc_blocksworld import world
from coc_blocksworld.cases import CASES, EXTENDED_CASES
from coc_blocksworld.records import Move, Rearrangement
from coc_blocksworld.towers import BLOCK, MOST_BLOCKS, ONE_TOWER, SEVERAL_TOWERS, TOWER, Tower, Towers
from coc_blocksworld.world import Blocks
from coc_core.domain import Domain, HasScenes, ReadsMoves, Scene
from coc_core.text import Codec, Form, Forms
from coc_core.types import Case, Expectation

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
        return world.move(state, action.block)

    def effect(self, state: Blocks, action: Move) -> str | None:
        return world.effect(state, action.block)

    def actions_for(self, state: Blocks, move: str) -> Sequence[Move]:
        return tuple(map(Move, world.moves_for(state, move)))

    def neighbours(self, state: Blocks) -> Iterable[Blocks]:
        return world.neighbours(state)

    def is_goal(self, problem: Rearrangement, state: Blocks) -> bool:
        return world.towers(state) == (problem.goal,)

    def render(self, state: Blocks, width: int) -> str:
        return world.render(state, width)

    def scene(self, state: Blocks) -> Scene:
        return world.scene(state)

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

    def cases(self) -> Iterable[Case[Move]]:
        return CASES


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

    def cases(self) -> Iterable[Case[Move]]:
        return EXTENDED_CASES


def _cut(blocks: Tower, cuts: Sequence[int]) -> Towers:
    return tuple(blocks[first:last] for first, last in pairwise((0, *cuts, len(blocks))))
