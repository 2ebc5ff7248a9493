"""Tower of Hanoi on four pegs: the algorithm of Frame and Stewart, and the domain that the core runs."""

import random
from collections.abc import Iterable
from itertools import permutations
from math import isqrt

from attrs import field, frozen

from coc_core.domain import Assignment, Operator
from coc_core.types import Expectation, Step
from coc_puzzles.hanoi.domain import OnPegs, Pegs, free_way
from coc_puzzles.hanoi.instructions import DISK, Move, Tower, distinct, forms


@frozen
class OnFour:
    """Move the n smallest disks from `src` to `dst`, by way of the other two pegs; most of them wait on `aux`."""

    n: int = field(validator=DISK)
    src: int
    dst: int
    aux: int
    spare: int = field(validator=distinct)


@frozen
class OnThree:
    """Move `count` disks, of which disk n is the largest, from `src` to `dst`, by way of `aux` alone."""

    n: int = field(validator=DISK)
    count: int = field(validator=DISK)
    src: int
    dst: int
    aux: int = field(validator=distinct)

    def __attrs_post_init__(self) -> None:
        if self.count > self.n:
            raise ValueError(f"there are only {self.n} disks up to disk {self.n}, not {self.count}")


Instruction = OnFour | OnThree | Move

_CALLS = {
    OnFour: "CALL pegs=4 n={n} src={src} dst={dst} aux={aux} spare={spare}",
    OnThree: "CALL pegs=3 n={n} count={count} src={src} dst={dst} aux={aux}",
}


class HanoiFour(OnPegs[Instruction]):
    """n disks on four pegs, from any peg to any other.

    Frame and Stewart (1941) move the smaller disks out of the way on four pegs, and the `largest` on the three that are
    left. Their number of moves is the least possible (T. Bousch, La quatrieme tour de Hanoi, 2014).
    """

    name = "hanoi-4"
    pegs = (1, 2, 3, 4)
    problems, instructions, actions = forms(*pegs, calls=_CALLS)
    few_problems = True

    def _problem(self, n: int, rng: random.Random) -> Tower:
        return Tower(n, *rng.sample(self.pegs, 2))

    def _every_problem(self, n: int) -> Iterable[Tower]:
        return (Tower(n, src, dst) for src, dst in permutations(self.pegs, 2))

    def start(self, problem: Tower) -> OnFour:
        others = (peg for peg in self.pegs if peg not in (problem.src, problem.dst))
        return OnFour(problem.n, problem.src, problem.dst, *others)

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
                return Step(then=(away, Move(n, src, dst), back))
            case Move():
                return Step((instruction,))

    def variables(self, state: Pegs) -> Assignment:
        """Return whether each disk is on each peg."""
        return {(disk, peg): peg == at for disk, at in enumerate(state, 1) for peg in self.pegs}

    def operator(self, action: Move) -> Operator:
        return free_way(action)

    def assign(self, state: Pegs, sets: Assignment) -> Pegs:
        moved = {disk: peg for (disk, peg), there in sets.items() if there}
        return tuple(moved.get(disk, peg) for disk, peg in enumerate(state, 1))

    def expect(self, problem: Tower) -> Expectation:
        """2x + 1 moves in 3x + 1 steps, where x = 2^(m-1) (m - 1 + r) for n = m(m+1)/2 + r disks, 0 <= r <= m."""
        m = largest(problem.n)
        half = 2 ** (m - 1) * (m - 1 + problem.n - m * (m + 1) // 2)
        return Expectation(actions=2 * half + 1, steps=3 * half + 1, optimum="Frame-Stewart")  # proved by Bousch, 2014


def largest(n: int) -> int:
    """Return how many disks, the largest of n, are moved on three pegs: the greatest m with m(m+1)/2 <= n."""
    return (isqrt(8 * n + 1) - 1) // 2
