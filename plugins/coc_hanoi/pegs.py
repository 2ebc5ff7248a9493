"""What the puzzles on any number of pegs have in common: the state, the rules, and the pictures."""

from collections.abc import Iterable
from typing import TypeVar

from coc_core.domain import Domain, HasScenes, Scene
from coc_hanoi import state as world
from coc_hanoi.instructions import MOST_DISKS
from coc_hanoi.render import render, scene
from coc_hanoi.state import Pegs

TowerT = TypeVar("TowerT", bound=world.Tower)
InstructionT = TypeVar("InstructionT")
MoveT = TypeVar("MoveT", bound=world.Move)


class OnPegs(Domain[TowerT, InstructionT, MoveT, Pegs], HasScenes[Pegs]):
    """A tower of disks that is moved to another peg. A subclass says how many pegs there are, and has the policy."""

    sizes = range(1, MOST_DISKS + 1)

    def size(self, problem: TowerT) -> int:
        return problem.n

    def apply(self, state: Pegs, action: MoveT) -> Pegs:
        return world.move(state, action)

    def effect(self, state: Pegs, action: MoveT) -> str:
        return self.actions.format(action)

    def neighbours(self, state: Pegs) -> Iterable[Pegs]:
        return world.neighbours(state)

    def is_goal(self, problem: TowerT, state: Pegs) -> bool:
        return world.solved(problem, state)

    def render(self, state: Pegs, width: int) -> str:
        return render(state, width)

    def scene(self, state: Pegs) -> Scene:
        return scene(state)
