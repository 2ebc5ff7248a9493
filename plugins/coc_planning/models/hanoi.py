"""Tower of Hanoi: every disk is smaller than every peg, and lies on a disk or a peg."""

import re
from collections.abc import Iterable
from itertools import combinations, pairwise
from typing import Any

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models.base import Action, Reading, SingleMoves
from coc_planning.pddl.task import Atom


def _domain(typed: str = "") -> Lifted:
    needs = f"{typed} (smaller ?disk ?to) (on ?disk ?from) (clear ?disk) (clear ?to)"
    effects = "(clear ?from) (on ?disk ?to)", "(on ?disk ?from) (clear ?to)"
    return Lifted.of("hanoi", Operator.of("move ?disk ?from ?to", needs, *effects))


_LIFTED, _TYPED = _domain(), _domain("(type:disk ?disk)")
_MOVE = re.compile(r"Move disk ([0-9]+) from ([0-9]+) to ([0-9]+)")


class HanoiModel(SingleMoves):
    """Tower of Hanoi with a number of pegs."""

    def __init__(self, domain: str, pegs: int) -> None:
        self.domain = domain  # type: ignore[misc]
        self._pegs = [f"peg{number}" for number in range(1, pegs + 1)]

    def lifted(self, problem: Any) -> Lifted:
        return _LIFTED

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return _LIFTED, _TYPED

    def facts(self, problem: Any, scene: Scene) -> Facts:
        disks = [f"d{number}" for number in range(1, problem.n + 1)]
        atoms = {Atom("smaller", pair) for pair in combinations(disks, 2)}
        atoms |= {Atom("smaller", (disk, peg)) for disk in disks for peg in self._pegs}
        for pile in self._piles(scene):
            atoms |= {Atom("on", (upper, lower)) for lower, upper in pairwise(pile)}
            atoms.add(Atom("clear", (pile[-1],)))
        goal = zip(disks, [*disks[1:], self._pegs[problem.dst - 1]], strict=True)
        return Facts((*disks, *self._pegs), frozenset(atoms), tuple(Atom("on", pair) for pair in goal))

    def typed(self, problem: Any) -> frozenset[Atom]:
        return frozenset(Atom("type:disk", (f"d{number}",)) for number in range(1, problem.n + 1))

    def action(self, scene: Scene, move: str) -> Action:
        found = _MOVE.fullmatch(move)
        assert found is not None
        _, source, target = map(int, found.groups())
        piles = self._piles(scene)
        return "move", (piles[source - 1][-1], piles[source - 1][-2], piles[target - 1][-1])

    def move(self, scene: Scene, action: Action) -> str:
        name, arguments = action
        piles = self._piles(scene)
        places = {thing: number for number, pile in enumerate(piles, 1) for thing in pile}
        if name != "move" or len(arguments) != 3 or not places.keys() >= {*arguments} or arguments[0] in self._pegs:
            raise ValueError("it is not (move DISK FROM TO)")
        disk, _, target = arguments
        return f"Move disk {disk[1:]} from {places[disk]} to {places[target]}"

    def read(self, facts: Facts) -> Reading:
        smaller = facts.holding("smaller")
        disks = sorted({disk for disk, _ in smaller}, key=lambda disk: -sum(disk == each for each, _ in smaller))
        pegs = [each for each in facts.objects if each not in disks]
        if len(pegs) != len(self._pegs):
            raise UnsupportedError(f"it has {len(pegs)} pegs; {self.domain} has {len(self._pegs)}")
        below = facts.pairs("on")
        source = _peg(disks, below)
        if {*facts.goal} <= facts.initial:
            raise UnsupportedError(f"{self.domain} moves a tower, and the goal holds at the beginning")
        # What the goal does not say is filled up by the whole tower on some peg.
        for target in pegs:
            tower = {*zip(disks, [*disks[1:], target], strict=True)}
            clear = {disks[0], *pegs} - {target} if disks else set()
            if source in pegs and target != source and all(_holds(atom, tower, clear) for atom in facts.goal):
                names = {f"d{number}": disk for number, disk in enumerate(disks, 1)}
                names |= dict(zip(self._pegs, pegs, strict=True))
                numbers = {peg: number for number, peg in enumerate(pegs, 1)}
                return Reading(f"n={len(disks)} src={numbers[source]} dst={numbers[target]}", names)
        raise UnsupportedError(
            f"{self.domain} moves one whole tower from a peg to another, and this problem is another one"
        )

    def _piles(self, scene: Scene) -> list[list[str]]:
        """Return the peg and its disks from the largest up, for each peg."""
        return [
            [peg, *(f"d{item.name}" for item in column.items)]
            for peg, column in zip(self._pegs, scene.columns, strict=True)
        ]


def _peg(disks: "list[str]", below: "dict[str, str]") -> str | None:
    """Return the peg that all disks are on; None if they are not on one another."""
    for upper, lower in pairwise(disks):
        if below.get(upper) != lower:
            return None
    return below.get(disks[-1]) if disks else None


def _holds(atom: Atom, on: "set[tuple[str, str]]", clear: "set[str]") -> bool:
    return atom.arguments in on if atom.predicate == "on" else atom.predicate == "clear" and atom.arguments[0] in clear
