"""Tower of Hanoi: the recursive policy, and the domain that the core runs."""

import random
from collections.abc import Iterable

from coc_core.domain import Assignment, HasOperators, Operator
from coc_core.types import Case, Expectation, Step
from coc_hanoi import operators, state as world
from coc_hanoi.cases import CASES
from coc_hanoi.instructions import ACTIONS, INSTRUCTIONS, PEGS, PROBLEMS, Call, Move, Tower, Transfer
from coc_hanoi.pegs import OnPegs
from coc_hanoi.state import Pegs


class Hanoi(OnPegs[Tower, Call | Transfer, Move], HasOperators[Move, Pegs]):
    """n disks on three pegs. The problem of size n is unique up to the choice of pegs."""

    name = "hanoi"
    problems = PROBLEMS
    instructions = INSTRUCTIONS
    actions = ACTIONS

    def _problem(self, n: int, rng: random.Random) -> Tower:
        return Tower(n)

    def _every_problem(self, n: int) -> Iterable[Tower]:
        return (Tower(n),)

    def start(self, problem: Tower) -> Call:
        aux = sum(PEGS) - problem.src - problem.dst
        return Call(problem.n, problem.src, problem.dst, aux)

    def expand(self, instruction: Call | Transfer) -> Step[Call | Transfer, Move]:
        match instruction:
            case Call(1, src, dst, _):
                return Step((Move(1, src, dst),))
            case Call(n, src, dst, aux):
                return Step(then=(Call(n - 1, src, aux, dst), Transfer(n, src, dst), Call(n - 1, aux, dst, src)))
            case Transfer(disk, src, dst):
                return Step((Move(disk, src, dst),))

    def initial(self, problem: Tower) -> Pegs:
        return world.initial(problem)

    def variables(self, state: Pegs) -> Assignment:
        return operators.variables(state)

    def operator(self, action: Move) -> Operator:
        return operators.operator(action)

    def assign(self, state: Pegs, sets: Assignment) -> Pegs:
        return operators.assign(state, sets)

    def expect(self, problem: Tower) -> Expectation:
        """2^n - 1 moves, one step each, and a step for each of the 2^(n-1) - 1 calls with n > 1, which move nothing."""
        n = problem.n
        return Expectation(actions=2**n - 1, steps=3 * 2 ** (n - 1) - 2, optimum=f"2^{n} - 1")

    def cases(self) -> Iterable[Case[Move]]:
        return CASES
