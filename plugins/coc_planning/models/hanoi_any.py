"""Tower of Hanoi from any state to any other, with one operator, or with several, by what a disk moves from and to."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, pairwise, product
from typing import Any

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models.base import Action, Reading, SingleMoves
from coc_planning.pddl.task import Atom

_MOVE = re.compile(r"Move disk ([0-9]+) from ([0-9]+) to ([0-9]+)")
_MOST_TRIALS = 100_000  # to complete a goal
_KINDS = ("disk", "peg")


class HanoiAnyModel(SingleMoves):
    """Any start, and any goal that does not contradict itself.

    Args:
        by_source: Whether there are operators of their own for what a disk is moved from.
        by_target: Whether there are operators of their own for what it is moved to. Only then need it not be smaller
            than a peg.
    """

    domain = "hanoi-any"

    def __init__(self, *, by_source: bool = False, by_target: bool = False) -> None:
        self._by_source, self._by_target = by_source, by_target
        self._names = {
            kinds: "-".join(
                ["move", *(["from", kinds[0]] if by_source else []), *(["to", kinds[1]] if by_target else [])]
            )
            for kinds in product(_KINDS, repeat=2)
        }
        self._lifted = self._domain("")
        self._typed = self._domain("(type:disk ?disk)")

    def _domain(self, typed: str) -> Lifted:
        found = {}
        for (source, target), name in self._names.items():
            needs = f"{typed} (on ?disk ?from) (clear ?disk) (clear ?to)"
            needs += f" (type:{source} ?from)" if self._by_source else ""
            needs += f" (type:{target} ?to)" if self._by_target else ""
            needs += " (smaller ?disk ?to)" if not self._by_target or target == "disk" else ""
            found[name] = Operator.of(
                f"{name} ?disk ?from ?to", needs, "(clear ?from) (on ?disk ?to)", "(on ?disk ?from) (clear ?to)"
            )
        return Lifted.of("hanoi", *found.values())

    def lifted(self, problem: Any) -> Lifted:
        return self._lifted

    def variants(self, theirs: Lifted) -> Iterable[Lifted]:
        return self._lifted, self._typed

    def facts(self, problem: Any, scene: Scene) -> Facts:
        disks = [f"d{number}" for number in range(1, len(problem.start) + 1)]
        pegs = [f"peg{number}" for number in range(1, problem.pegs + 1)]
        atoms = {Atom("smaller", pair) for pair in combinations(disks, 2)}
        atoms |= set() if self._by_target else {Atom("smaller", pair) for pair in product(disks, pegs)}
        ends = _piles(dict(zip(disks, (f"peg{peg}" for peg in problem.goal), strict=True)), pegs)
        goal = tuple(Atom("on", (upper, lower)) for pile in ends for lower, upper in pairwise(pile))
        return Facts((*disks, *pegs), frozenset(atoms | _standing(_drawn(scene))), goal)

    def typed(self, problem: Any) -> frozenset[Atom]:
        disks = {Atom("type:disk", (f"d{number}",)) for number in range(1, len(problem.start) + 1)}
        return frozenset(disks | {Atom("type:peg", (f"peg{number}",)) for number in range(1, problem.pegs + 1)})

    def action(self, scene: Scene, move: str) -> Action:
        found = _MOVE.fullmatch(move)
        assert found is not None
        _, source, target = map(int, found.groups())
        piles = _drawn(scene)
        disk, lower, upper = piles[source - 1][-1], piles[source - 1][-2], piles[target - 1][-1]
        return self._names[_kind(lower), _kind(upper)], (disk, lower, upper)

    def move(self, scene: Scene, action: Action) -> str:
        name, arguments = action
        places = {thing: number for number, pile in enumerate(_drawn(scene), 1) for thing in pile}
        if len(arguments) != 3 or not places.keys() >= {*arguments} or _kind(arguments[0]) != "disk":
            raise ValueError("it is not (move DISK FROM TO)")
        disk, lower, upper = arguments
        if name != (right := self._names[_kind(lower), _kind(upper)]):
            raise ValueError(f"it is not ({right} {disk} {lower} {upper})")
        return f"Move disk {disk[1:]} from {places[disk]} to {places[upper]}"

    def read(self, facts: Facts) -> Reading:
        below = facts.pairs("on")
        larger = [disk for disk, _ in facts.holding("smaller")]
        disks = sorted(below, key=lambda disk: -larger.count(disk))
        pegs = [each for each in facts.objects if each not in below]
        start = dict[str, str]()
        for disk in disks:
            at, steps = disk, 0
            while at in below and steps <= len(below):
                at, steps = below[at], steps + 1
            start[disk] = at
        if wrong := [disk for disk in disks if start[disk] not in pegs]:
            raise UnsupportedError(f"{wrong[0]} is not on a peg")
        goal = _completed(facts.goal, disks, pegs, start)
        numbers = {peg: number for number, peg in enumerate(pegs, 1)}
        names = {f"d{number}": disk for number, disk in enumerate(disks, 1)}
        names |= {f"peg{number}": peg for peg, number in numbers.items()}
        texts = (", ".join(str(numbers[state[disk]]) for disk in disks) for state in (start, goal))
        return Reading("pegs={} start=[{}] goal=[{}]".format(len(pegs), *texts), names)


def _completed(
    goal: Sequence[Atom], disks: Sequence[str], pegs: Sequence[str], start: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the peg of each disk in a state in which a goal holds, smallest first; the start if it holds there."""
    lower = {atom.arguments[0]: atom.arguments[1] for atom in goal if atom.predicate == "on"}
    upper = {atom.arguments[1]: atom.arguments[0] for atom in goal if atom.predicate == "on"}
    closed = {atom.arguments[0] for atom in goal if atom.predicate == "clear"}

    def states(left: Sequence[str], tops: Mapping[str, str], found: dict[str, str]) -> Iterator[dict[str, str]]:
        """Yield (parts of) states that don't contradict the goal, those first in which large disks stay."""
        yield found
        for peg in sorted(pegs, key=lambda peg: peg != start[left[-1]]) if left else ():
            top = tops[peg]
            if lower.get(left[-1], top) == top and upper.get(top, left[-1]) == left[-1] and top not in closed:
                yield from states(left[:-1], {**tops, peg: left[-1]}, {left[-1]: peg, **found})

    for state in chain([start], islice(states(disks, dict(zip(pegs, pegs, strict=True)), {}), _MOST_TRIALS)):
        if len(state) == len(disks) and {*goal} <= _standing(_piles(state, pegs)):
            return state
    raise UnsupportedError("no state of the disks has all that the goal says")


def _piles(state: Mapping[str, str], pegs: Sequence[str]) -> list[list[str]]:
    """Return the peg and its disks from the largest up, for each peg."""
    return [[peg, *(disk for disk in reversed([*state]) if state[disk] == peg)] for peg in pegs]


def _drawn(scene: Scene) -> list[list[str]]:
    return [[f"peg{column.label}", *(f"d{item.name}" for item in column.items)] for column in scene.columns]


def _kind(thing: str) -> str:
    return "peg" if thing.startswith("peg") else "disk"


def _standing(piles: Iterable[Sequence[str]]) -> set[Atom]:
    """Return all atoms that hold of piles, from the pegs up."""
    found = set[Atom]()
    for pile in piles:
        found |= {Atom("on", (upper, lower)) for lower, upper in pairwise(pile)} | {Atom("clear", (pile[-1],))}
    return found
