"""What the puzzles on any number of pegs have in common: the state, its pictures, and what makes a move illegal."""

from collections.abc import Iterable
from itertools import permutations
from typing import Any, ClassVar, TypeVar

from coc_core.domain import Column, HasOperators, HasScenes, Item, Scene
from coc_hanoi.instructions import MOST_DISKS, Move, Tower

TowerT = TypeVar("TowerT", bound=Tower)
InstructionT = TypeVar("InstructionT")
MoveT = TypeVar("MoveT", bound=Move)

Pegs = tuple[int, ...]
"""The state: the peg of each disk, the smallest first."""

_GAP = "  "


class OnPegs(HasOperators[TowerT, InstructionT, MoveT, Pegs], HasScenes[Pegs]):
    """A tower of disks that is moved to another peg. A subclass has the policy, and says what a move needs."""

    sizes = range(1, MOST_DISKS + 1)
    pegs: ClassVar[tuple[int, ...]]
    move: ClassVar[Any]
    """The class of the actions."""

    def size(self, problem: TowerT) -> int:
        return problem.n

    def initial(self, problem: TowerT) -> Pegs:
        return (problem.src,) * problem.n

    def is_goal(self, problem: TowerT, state: Pegs) -> bool:
        return state == (problem.dst,) * problem.n

    def every_action(self, state: Pegs) -> Iterable[MoveT]:
        pairs = ((src, dst) for src, dst in permutations(self.pegs, 2) if src in state)
        return (self.move(state.index(src) + 1, src, dst) for src, dst in pairs)

    def why_illegal(self, state: Pegs, action: MoveT) -> str:
        tops = {peg: state.index(peg) + 1 for peg in set(state)}
        if tops.get(action.src) != action.disk:
            top = f"has disk {tops[action.src]} on top" if action.src in tops else "is empty"
            return f"disk {action.disk} can't be taken from peg {action.src}, which {top}"
        return f"disk {action.disk} can't lie on the smaller disk {tops[action.dst]} of peg {action.dst}"

    def render(self, state: Pegs, width: int) -> str:
        """Draw the pegs side by side: bars if they fit into `width` columns, otherwise numbers."""
        n, piles = len(state), self._piles(state)
        drawn = _bar if len(_GAP.join(_bar(n) for _ in piles)) <= width else _number
        column = len(drawn(n))
        layers = [
            _GAP.join(
                drawn(pile[layer - n + len(pile)] if layer >= n - len(pile) else 0).center(column) for pile in piles
            )
            for layer in range(n)
        ]
        base = _GAP.join("─" * column for _ in piles)
        names = _GAP.join(str(peg).center(column) for peg in self.pegs)
        return "\n".join(line.rstrip() for line in (*layers, base, names))

    def scene(self, state: Pegs) -> Scene:
        """Make a scene of the pegs. The width of disk d is 0.25 + 0.75 d / n of a column."""
        return Scene(
            tuple(
                Column(str(peg), tuple(Item(str(d), str(d), 0.25 + 0.75 * d / len(state)) for d in reversed(pile)))
                for peg, pile in zip(self.pegs, self._piles(state), strict=True)
            ),
            posts=True,
        )

    def _piles(self, state: Pegs) -> list[list[int]]:
        """The disks of each peg, from the top down."""
        return [[disk for disk, at in enumerate(state, 1) if at == peg] for peg in self.pegs]


def _bar(disk: int) -> str:
    """A bar as wide as its number, with half columns at both ends if that is even."""
    if not disk:
        return "│"
    return "█" * disk if disk % 2 else f"▐{'█' * (disk - 1)}▌"


def _number(disk: int) -> str:
    return f"[{disk:^4}]" if disk else "│"
