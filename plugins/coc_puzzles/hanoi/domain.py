"""Tower of Hanoi: what it is on any number of pegs, and the recursive policy for three."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any, ClassVar, TypeVar

from coc_core.domain import Assignment, Column, HasOperators, HasScenes, Item, LineFormat, Operator, ReadsItems, Scene
from coc_core.errors import UnsupportedError
from coc_core.types import Expectation, Step
from coc_puzzles.hanoi.instructions import MOST_DISKS, Call, Move, Tower, forms

InstructionT = TypeVar("InstructionT")

Pegs = tuple[int, ...]
"""The state: the peg of each disk, the smallest first."""

_MOVE = re.compile(r"(Move disk [0-9]+ from )Peg ([0-9]+ to )Peg ([0-9]+)")


class ReasoningGymPlan(LineFormat[Any, Any, Any]):
    """Answers as reasoning-gym's scorer takes them, such as `Move disk 3 from Peg 1 to Peg 3`: with the word `Peg`."""

    def _line(self, state: Any, action: Any) -> str:
        text: str = self.domain.actions.format(action)
        return text.replace("from ", "from Peg ").replace("to ", "to Peg ")

    def read(self, state: Any, entry: str) -> Sequence[Any]:
        found = _MOVE.fullmatch(entry)
        if found is None:
            raise ValueError("it is not of the form 'Move disk {disk} from Peg {src} to Peg {dst}'")
        return (self.domain.actions.parse("".join(found.groups())),)


class OnPegs(HasOperators[Tower, InstructionT, Move, Pegs], HasScenes[Pegs], ReadsItems):
    """A tower of disks that is moved to another peg. A subclass has the policy, and says what a move needs."""

    sizes = range(1, MOST_DISKS + 1)
    pegs: ClassVar[tuple[int, ...]]
    datasets = frozenset({"tower_of_hanoi"})

    def item(self, told: Mapping[str, Any]) -> str:
        if told["num_pegs"] != len(self.pegs):
            raise UnsupportedError(f"it has {told['num_pegs']!r:.20} pegs; {self.name} has {len(self.pegs)}")
        return f"n={told['num_disks']} src={told['start_peg']} dst={told['target_peg']}"

    def answer_to(self, told: Mapping[str, Any], problem: Tower) -> ReasoningGymPlan:
        domain: Any = self
        return ReasoningGymPlan(domain, problem)

    def size(self, problem: Tower) -> int:
        return problem.n

    def initial(self, problem: Tower) -> Pegs:
        return (problem.src,) * problem.n

    def is_goal(self, problem: Tower, state: Pegs) -> bool:
        return state == (problem.dst,) * problem.n

    def every_action(self, state: Pegs) -> Iterable[Move]:
        return moves_of(state, self.pegs)

    def why_illegal(self, state: Pegs, action: Move) -> str:
        return why_not(state, action.disk, action.src, action.dst)

    def scene(self, state: Pegs) -> Scene:
        return pictured(state, self.pegs)


def moves_of(state: Pegs, pegs: Sequence[int]) -> Iterator[Move]:
    """Yield each move of a top disk, whether or not it is legal."""
    for src, dst in permutations(pegs, 2):
        if src in state:
            yield Move(state.index(src) + 1, src, dst)


def free_way(move: Move) -> Operator:
    """Give a move its operator: its disk is on the source peg, and no smaller one there or on the destination.

    The variables are whether each disk is on each peg, since the smaller ones may be on any of the others.
    """
    smaller = product(range(1, move.disk), (move.src, move.dst))
    here, there = (move.disk, move.src), (move.disk, move.dst)
    return Operator({here: True, **dict.fromkeys(smaller, False)}, {here: False, there: True})


def why_not(state: Pegs, disk: int, src: int, dst: int) -> str:
    """Return why a disk can't be moved from a peg to another one."""
    tops = {peg: state.index(peg) + 1 for peg in set(state)}
    if tops.get(src) != disk:
        top = f"has disk {tops[src]} on top" if src in tops else "is empty"
        return f"disk {disk} can't be taken from peg {src}, which {top}"
    return f"disk {disk} can't lie on the smaller disk {tops[dst]} of peg {dst}"


def _piles(state: Pegs, pegs: Sequence[int]) -> list[tuple[int, list[int]]]:
    """Return each peg with its disks, from the top down."""
    return [(peg, [disk for disk, at in enumerate(state, 1) if at == peg]) for peg in pegs]


def pictured(state: Pegs, pegs: Sequence[int]) -> Scene:
    """Make a scene of the pegs. The width of disk d is 0.25 + 0.75 d / n of a column."""
    items = [Item(str(disk), str(disk), 0.25 + 0.75 * disk / len(state)) for disk in range(1, len(state) + 1)]
    columns = (Column(str(peg), tuple(items[disk - 1] for disk in reversed(pile))) for peg, pile in _piles(state, pegs))
    return Scene(tuple(columns), posts=True)


class Hanoi(OnPegs[Call | Move]):
    """n disks on three pegs. The problem of size n is unique up to the choice of pegs."""

    name = "hanoi"
    pegs = (1, 2, 3)
    problems, instructions, actions = forms(*pegs, calls={Call: "CALL n={n} src={src} dst={dst} aux={aux}"})

    def _problem(self, n: int, rng: random.Random) -> Tower:
        return Tower(n)

    def _every_problem(self, n: int) -> Iterable[Tower]:
        return (Tower(n),)

    def start(self, problem: Tower) -> Call:
        return Call(problem.n, problem.src, problem.dst, sum(self.pegs) - problem.src - problem.dst)

    def expand(self, instruction: Call | Move) -> Step[Call | Move, Move]:
        match instruction:
            case Call(1, src, dst, _):
                return Step((Move(1, src, dst),))
            case Call(n, src, dst, aux):
                return Step(then=(Call(n - 1, src, aux, dst), Move(n, src, dst), Call(n - 1, aux, dst, src)))
            case Move():
                return Step((instruction,))

    def variables(self, state: Pegs) -> Assignment:
        """Return the peg of each disk."""
        return dict(enumerate(state, 1))

    def operator(self, action: Move) -> Operator:
        """Give a move its operator: its disk is on the source peg, all smaller ones on the third peg."""
        disk, src, dst = action.disk, action.src, action.dst
        needs = dict.fromkeys(range(1, disk), sum(self.pegs) - src - dst)
        needs[disk] = src
        return Operator(needs, {disk: dst})

    def taking(self, operator: Operator) -> Callable[[Pegs], Pegs | None]:
        ((disk, dst),) = operator.sets.items()
        needed = tuple(operator.needs.values())
        moved = (*needed[:-1], dst)
        return lambda state: moved + state[disk:] if state[:disk] == needed else None

    def assign(self, state: Pegs, sets: Assignment) -> Pegs:
        return tuple(sets.get(disk, peg) for disk, peg in enumerate(state, 1))

    def expect(self, problem: Tower) -> Expectation:
        """2^n - 1 moves, one step each, and a step for each of the 2^(n-1) - 1 calls with n > 1, which move nothing."""
        n = problem.n
        return Expectation(actions=2**n - 1, steps=3 * 2 ** (n - 1) - 2, optimum=f"2^{n} - 1")
