"""Tower of Hanoi: the recursive policy, and the domain that the core runs."""

import random
from collections.abc import Callable, Iterable

from coc_core.domain import Assignment, Operator
from coc_core.types import Expectation, Step
from coc_hanoi.instructions import ACTIONS, INSTRUCTIONS, PEGS, PROBLEMS, Call, Move, Tower, Transfer
from coc_hanoi.pegs import OnPegs, Pegs


class Hanoi(OnPegs[Tower, Call | Transfer, Move]):
    """n disks on three pegs. The problem of size n is unique up to the choice of pegs."""

    name = "hanoi"
    problems = PROBLEMS
    instructions = INSTRUCTIONS
    actions = ACTIONS
    pegs = PEGS
    move = Move

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

    def variables(self, state: Pegs) -> Assignment:
        """The peg of each disk."""
        return dict(enumerate(state, 1))

    def operator(self, action: Move) -> Operator:
        """A move needs its disk on the source peg and all smaller ones out of the way, on the third peg."""
        disk, src, dst = action.disk, action.src, action.dst
        needs = dict.fromkeys(range(1, disk), sum(PEGS) - src - dst)
        needs[disk] = src
        return Operator(needs, {disk: dst})

    def taking(self, operator: Operator) -> Callable[[Pegs], Pegs | None]:
        ((disk, dst),) = operator.sets.items()
        needed = tuple(operator.needs.values())
        moved = (*needed[:-1], dst)
        return lambda state: moved + state[disk:] if state[:disk] == needed else None

    def assign(self, state: Pegs, sets: Assignment) -> Pegs:
        pegs = list(state)
        for disk, peg in sets.items():
            pegs[disk - 1] = peg
        return tuple(pegs)

    def expect(self, problem: Tower) -> Expectation:
        """2^n - 1 moves, one step each, and a step for each of the 2^(n-1) - 1 calls with n > 1, which move nothing."""
        n = problem.n
        return Expectation(actions=2**n - 1, steps=3 * 2 ** (n - 1) - 2, optimum=f"2^{n} - 1")
