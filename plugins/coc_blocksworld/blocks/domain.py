"""The domain: any arrangement of blocks, any goal over it, and a hand that moves one block at a time."""

import random
from collections.abc import Iterable
from typing import TypeVar

from coc_blocksworld.blocks import operators, policy, sampling, state as world
from coc_blocksworld.blocks.cases import CASES
from coc_blocksworld.blocks.goal import contradiction
from coc_blocksworld.blocks.policy import ACTIONS, INSTRUCTIONS, NOTES, Action, Arrange
from coc_blocksworld.blocks.problem import PROBLEMS, Problem
from coc_blocksworld.blocks.state import Blocks as State
from coc_blocksworld.towers import MOST_BLOCKS
from coc_core.domain import Assignment, Domain, HasOperators, HasScenes, KnowsUnsolvable, Operator, ReadsMoves, Scene
from coc_core.text import Surface
from coc_core.types import Case, Step

InstructionT = TypeVar("InstructionT")


class BlocksRules(
    Domain[Problem, InstructionT, Action, State],
    HasScenes[State],
    ReadsMoves[Action, State],
    KnowsUnsolvable[Problem],
    HasOperators[Action, State],
):
    """BlocksWorld as planning books have it, with the actions pick-up, put-down, stack and unstack; no policy yet."""

    name = "blocks"
    sizes = range(1, MOST_BLOCKS + 1)
    problems = PROBLEMS
    actions = ACTIONS
    notes = NOTES
    interchangeable_names = frozenset({"B"})
    continuation = "chain"

    def _problem(self, n: int, rng: random.Random) -> Problem:
        return sampling.drawn(n, rng)

    def _every_problem(self, n: int) -> Iterable[Problem]:
        return sampling.listed(n)

    def size(self, problem: Problem) -> int:
        return len(problem.names)

    def unsolvable(self, problem: Problem) -> str | None:
        return contradiction(problem.goal)

    def initial(self, problem: Problem) -> State:
        return world.initial(problem)

    def apply(self, state: State, action: Action) -> State:
        return world.apply(state, action)

    def effect(self, state: State, action: Action) -> str:
        return world.effect(state, action)

    def actions_for(self, state: State, move: str) -> tuple[Action]:
        return world.actions_for(state, move)

    def neighbours(self, state: State) -> Iterable[State]:
        return world.neighbours(state)

    def is_goal(self, problem: Problem, state: State) -> bool:
        return world.holds(state, problem.goal)

    def render(self, state: State, width: int) -> str:
        return world.render(state, width)

    def scene(self, state: State) -> Scene:
        return world.scene(state)

    def variables(self, state: State) -> Assignment:
        return operators.variables(state)

    def operator(self, action: Action) -> Operator | None:
        return operators.operator(action)

    def assign(self, state: State, sets: Assignment) -> State:
        return operators.assign(state, sets)

    def expect(self, problem: Problem) -> None:
        """None: how often a block is moved depends on the arrangements."""
        return

    def cases(self) -> Iterable[Case[Action]]:
        return CASES


class Blocks(BlocksRules[Arrange]):
    """The policy whose instructions list all that is still to do."""

    instructions = INSTRUCTIONS
    surfaces = dict.fromkeys(
        (("stack", "numeric"), ("stack", "symbolic")), Surface("{instruction}", "PUSH {instruction}")
    )

    def start(self, problem: Problem) -> Arrange:
        return policy.start(problem)

    def expand(self, instruction: Arrange) -> Step[Arrange, Action]:
        return policy.expand(instruction)
