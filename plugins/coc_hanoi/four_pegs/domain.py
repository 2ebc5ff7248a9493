"""Tower of Hanoi on four pegs: the algorithm of Frame and Stewart, and the domain that the core runs."""

import random
from collections.abc import Iterable
from itertools import permutations
from math import isqrt

from coc_core.domain import Assignment, HasOperators, Operator
from coc_core.types import Case, Expectation, Step
from coc_hanoi import state as world
from coc_hanoi.four_pegs import operators
from coc_hanoi.four_pegs.cases import CASES
from coc_hanoi.four_pegs.instructions import (
    ACTIONS,
    INSTRUCTIONS,
    PEGS,
    PROBLEMS,
    Move,
    OnFour,
    OnThree,
    Tower,
    Transfer,
)
from coc_hanoi.pegs import OnPegs
from coc_hanoi.state import Pegs

Instruction = OnFour | OnThree | Transfer


class HanoiFour(OnPegs[Tower, Instruction, Move], HasOperators[Move, Pegs]):
    """n disks on four pegs, from any peg to any other.

    Frame and Stewart (1941) move the smaller disks out of the way on four pegs, and the `largest` on the three that are
    left. Their number of moves is the least possible (T. Bousch, La quatrieme tour de Hanoi, 2014).
    """

    name = "hanoi-4"
    problems = PROBLEMS
    instructions = INSTRUCTIONS
    actions = ACTIONS
    few_problems = True

    def _problem(self, n: int, rng: random.Random) -> Tower:
        return Tower(n, *rng.sample(PEGS, 2))

    def _every_problem(self, n: int) -> Iterable[Tower]:
        return (Tower(n, src, dst) for src, dst in permutations(PEGS, 2))

    def start(self, problem: Tower) -> OnFour:
        aux, spare = (peg for peg in PEGS if peg not in (problem.src, problem.dst))
        return OnFour(problem.n, problem.src, problem.dst, aux, spare)

    def expand(self, instruction: Instruction) -> Step[Instruction, Move]:
        match instruction:
            case OnFour(1, src, dst, _, _):
                return Step((Move(1, src, dst),))
            case OnFour(n, src, dst, aux, spare):
                k = n - largest(n)
                large = OnThree(n, n - k, src, dst, spare)
                return Step(then=(OnFour(k, src, aux, dst, spare), large, OnFour(k, aux, dst, src, spare)))
            case OnThree(n, 1, src, dst, _):
                return Step((Move(n, src, dst),))
            case OnThree(n, count, src, dst, aux):
                away, back = OnThree(n - 1, count - 1, src, aux, dst), OnThree(n - 1, count - 1, aux, dst, src)
                return Step(then=(away, Transfer(n, src, dst), back))
            case Transfer(disk, src, dst):
                return Step((Move(disk, src, dst),))

    def initial(self, problem: Tower) -> Pegs:
        return world.initial(problem, len(PEGS))

    def variables(self, state: Pegs) -> Assignment:
        return operators.variables(state)

    def operator(self, action: Move) -> Operator:
        return operators.operator(action)

    def assign(self, state: Pegs, sets: Assignment) -> Pegs:
        return operators.assign(state, sets)

    def expect(self, problem: Tower) -> Expectation:
        """2x + 1 moves in 3x + 1 steps, where x = 2^(m-1) (m - 1 + r) for n = m(m+1)/2 + r disks, 0 <= r <= m."""
        m = largest(problem.n)
        half = 2 ** (m - 1) * (m - 1 + problem.n - m * (m + 1) // 2)
        return Expectation(actions=2 * half + 1, steps=3 * half + 1, optimum="Frame-Stewart")  # proved by Bousch, 2014

    def cases(self) -> Iterable[Case[Move]]:
        return CASES


def largest(n: int) -> int:
    """How many disks, the largest of n, are moved on three pegs: the greatest m with m(m+1)/2 <= n."""
    return (isqrt(8 * n + 1) - 1) // 2
