"""Checker jumping: the recursive policy, and the domain that the core runs."""

import random
from collections.abc import Iterable

from coc_checkers import rules
from coc_checkers.pictures import render, scene
from coc_checkers.records import (
    ACTIONS,
    FORWARD,
    INSTRUCTIONS,
    MAX_CHECKERS,
    OTHER,
    PROBLEMS,
    Back,
    Instruction,
    Leap,
    Move,
    Out,
    Row,
    Side,
    Swap,
)
from coc_checkers.rules import State
from coc_core.domain import Assignment, HasOperators, HasScenes, Operator, Scene
from coc_core.types import Expectation, Step


class Checkers(HasOperators[Row, Instruction, Move, State], HasScenes[State]):
    """n red and n blue checkers in a row with one empty cell; the problem of size n is unique.

    The plan consists of runs of 1, 2, ... n, n, n, ... 2, 1 moves, by red and blue in turn. The second half mirrors the
    first, so it is recursive: level k is a run of k moves, level k + 1, and another run of k moves by the same colour.
    No instruction contains the row, and each of its numbers differs by 1 or 2 from one of the instruction before.
    """

    name = "checkers"
    sizes = range(1, MAX_CHECKERS + 1)
    problems = PROBLEMS
    instructions = INSTRUCTIONS
    actions = ACTIONS

    def _problem(self, n: int, rng: random.Random) -> Row:
        return Row(n)

    def _every_problem(self, n: int) -> Iterable[Row]:
        return (Row(n),)

    def size(self, problem: Row) -> int:
        return problem.n

    def start(self, problem: Row) -> Swap:
        return Swap("red", 1, problem.n, problem.n + 2)

    def expand(self, instruction: Instruction) -> Step[Instruction, Move]:
        match instruction:
            case Swap(by, k, low, high):
                begin, end = (high - 1, low) if by == "red" else (low + 1, high)
                other = OTHER[by]
                inner = Swap(other, k + 1, low - 1, high + 1) if low > 1 else Leap(other, k, end)
                return Step(then=(Out(by, k - 1, begin), inner, Back(by, k - 1, low + high - end)))
            case Out(by, 0, empty):
                return Step((_into(empty, by, 1),))
            case Out(by, jumps, empty):
                return Step((_into(empty, by, 2),), then=(Out(by, jumps - 1, _behind(empty, by, 2)),))
            case Back(by, 0, empty):
                return Step((_into(empty, by, 1),))
            case Back(by, jumps, empty):
                return Step((_into(empty, by, 1),), then=(Leap(by, jumps, _behind(empty, by, 1)),))
            case Leap(by, 1, empty):
                return Step((_into(empty, by, 2),))
            case Leap(by, jumps, empty):
                return Step((_into(empty, by, 2),), then=(Leap(by, jumps - 1, _behind(empty, by, 2)),))

    def initial(self, problem: Row) -> State:
        return rules.initial(problem.n)

    def why_illegal(self, state: State, action: Move) -> str:
        return rules.why_illegal(state, action)

    def every_action(self, state: State) -> Iterable[Move]:
        return rules.every_action(state)

    def is_goal(self, problem: Row, state: State) -> bool:
        return state == rules.solved(problem.n)

    def render(self, state: State, width: int) -> str:
        return render(state, width)

    def scene(self, state: State) -> Scene:
        return scene(state)

    def variables(self, state: State) -> Assignment:
        return dict(enumerate(state, 1))

    def operator(self, action: Move) -> Operator | None:
        return rules.operator(action)

    def assign(self, state: State, sets: Assignment) -> State:
        return rules.assign(state, sets)

    def expect(self, problem: Row) -> Expectation:
        """n(n + 2) moves, one step each, and a step for each of the n swaps."""
        return Expectation(actions=problem.n * (problem.n + 2), steps=problem.n * (problem.n + 3))


def _behind(cell: int, by: Side, distance: int) -> int:
    """Return the cell at a distance behind `cell`, seen in the direction in which the colour moves."""
    return cell - FORWARD[by] * distance


def _into(empty: int, by: Side, distance: int) -> Move:
    """Return the move into the empty cell from a distance behind it."""
    return Move(by, _behind(empty, by, distance), empty)
