"""Tower of Hanoi, with one operator, or with several, by what a disk moves from and to."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, product
from typing import Any

from attrs import evolve

from coc_core.domain import Scene
from coc_core.errors import ActionFault, UnsupportedError
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models.base import Action, LazyScene, Piles, Reading, SingleMoves, on, standing
from coc_planning.pddl.task import Atom

_MOST_TRIALS = 100_000  # to complete a goal


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
        self.forms = tuple(Lifted.of("hanoi", *self._operators(typed)) for typed in ("", "(type:disk ?disk)"))

    def _operators(self, typed: str) -> Sequence[Operator]:
        operators = dict[str, Operator]()
        for source, target in product(("disk", "peg"), repeat=2):
            needs = f"{typed} (on ?disk ?from) (clear ?disk) (clear ?to)"
            needs += f"(type:{source} ?from)" * self._by_source + f"(type:{target} ?to)" * self._by_target
            needs += "(smaller ?disk ?to)" * (not self._by_target or target == "disk")
            effects = "(clear ?from) (on ?disk ?to)", "(on ?disk ?from) (clear ?to)"
            name = self._operator(source, target)
            operators[name] = Operator.of(f"{name} ?disk ?from ?to", needs, *effects)
        return [*operators.values()]

    def _operator(self, lower: str, upper: str) -> str:
        """Return the operator for a disk that lies on one disk or peg, and is moved onto another."""
        source, target = ("peg" if each.startswith("peg") else "disk" for each in (lower, upper))
        return "move" + f"-from-{source}" * self._by_source + f"-to-{target}" * self._by_target

    def end(self, problem: Any) -> tuple[int, Sequence[int]]:
        """Return the number of pegs, and the peg of each disk in the end, the smallest first."""
        return problem.pegs, problem.goal

    def facts(self, problem: Any, scene: Scene) -> Facts:
        count, end = self.end(problem)
        disks, pegs = _named(len(end), count)
        larger = product(disks, () if self._by_target else pegs)
        smaller = (Atom("smaller", pair) for pair in (*combinations(disks, 2), *larger))
        goal = on(_piles({disk: pegs[peg - 1] for disk, peg in zip(disks, end, strict=True)}, pegs))
        return Facts((*disks, *pegs), frozenset(standing(_pictured(scene)).union(smaller)), tuple(goal))

    def typed(self, problem: Any) -> frozenset[Atom]:
        count, end = self.end(problem)
        kinds = zip(("type:disk", "type:peg"), _named(len(end), count), strict=True)
        return frozenset(Atom(kind, (name,)) for kind, names in kinds for name in names)

    def action(self, scene: LazyScene, move: str) -> Action:
        piles = _pictured(scene())
        source, target = (piles[int(number) - 1] for number in re.findall("[0-9]+", move)[-2:])
        return self._operator(source[-2], target[-1]), (source[-1], source[-2], target[-1])

    def move(self, scene: LazyScene, action: Action) -> str:
        name, arguments = action
        places = {each: (number, pile) for number, pile in enumerate(_pictured(scene()), 1) for each in pile}
        if len(arguments) != 3 or not places.keys() >= {*arguments} or arguments[0].startswith("peg"):
            raise ValueError("it is not (move DISK FROM TO)")
        disk, lower, upper = arguments
        if name != (right := self._operator(lower, upper)):
            raise ValueError(f"it is not ({right} {disk} {lower} {upper})")
        (source, pile), (target, onto) = places[disk], places[upper]
        if pile[pile.index(disk) - 1] != lower:
            raise ActionFault(f"{disk} is not on {lower}")
        if onto[-1] != upper:
            raise ActionFault(f"{upper} is not clear")
        return f"Move disk {disk[1:]} from {source} to {target}"

    def read(self, facts: Facts) -> Reading:
        disks, pegs, start = _layout(facts)
        if wrong := [disk for disk in disks if start[disk] not in pegs]:
            raise UnsupportedError(f"{wrong[0]} is not on a peg")
        goal = _completed(facts.wanted, disks, pegs, start)
        numbers = {peg: str(number) for number, peg in enumerate(pegs, 1)}
        texts = (", ".join(numbers[state[disk]] for disk in disks) for state in (start, goal))
        return Reading("pegs={} start=[{}] goal=[{}]".format(len(pegs), *texts), _names(disks, pegs))


class HanoiModel(HanoiAnyModel):
    """A whole tower on some peg, which is moved to another one."""

    def __init__(self, domain: str, pegs: int) -> None:
        super().__init__()
        self.domain = domain  # type: ignore[misc]
        self._pegs = pegs

    def end(self, problem: Any) -> tuple[int, Sequence[int]]:
        return self._pegs, (problem.dst,) * problem.n

    def facts(self, problem: Any, scene: Scene) -> Facts:
        found = super().facts(problem, scene)
        return evolve(found, goal=found.goal[::-1])

    def read(self, facts: Facts) -> Reading:
        disks, pegs, start = _layout(facts)
        if len(pegs) != self._pegs:
            raise UnsupportedError(f"it has {len(pegs)} pegs; {self.domain} has {self._pegs}")
        if {*facts.goal} <= facts.initial:
            raise UnsupportedError(f"{self.domain} moves a tower, and the goal holds at the beginning")
        for source, target in product(pegs, repeat=2):
            # What the goal does not say is filled up by the whole tower on some peg.
            moved = {*start.values()} == {source} != {target}
            if moved and {*facts.goal} <= standing(_piles(dict.fromkeys(disks, target), pegs)):
                text = f"n={len(disks)} src={pegs.index(source) + 1} dst={pegs.index(target) + 1}"
                return Reading(text, _names(disks, pegs))
        raise UnsupportedError(
            f"{self.domain} moves one whole tower from a peg to another, and this problem is another one"
        )


def _named(disks: int, pegs: int) -> tuple[list[str], list[str]]:
    """Return coc's names for so many disks and pegs."""
    return [f"d{number}" for number in range(1, disks + 1)], [f"peg{number}" for number in range(1, pegs + 1)]


def _names(disks: Sequence[str], pegs: Sequence[str]) -> dict[str, str]:
    """Return the names of another problem by coc's."""
    return dict(zip(chain(*_named(len(disks), len(pegs))), (*disks, *pegs), strict=True))


def _pictured(scene: Scene) -> Piles:
    """Return each peg with its disks from the largest up."""
    columns = enumerate(scene.columns, 1)
    return [[f"peg{number}", *(f"d{item.name}" for item in column.items)] for number, column in columns]


def _layout(facts: Facts) -> tuple[list[str], list[str], dict[str, str]]:
    """Return the disks, smallest first, the pegs, and on which peg, if it is one, each disk is."""
    below = facts.pairs("on")
    larger = Counter(disk for disk, other in facts.holding("smaller") if disk != other)
    disks = sorted(below, key=lambda disk: -larger[disk])
    start = dict(zip(disks, disks, strict=True))
    for disk in disks:
        for _ in below:
            start[disk] = below.get(start[disk], start[disk])
    return disks, [each for each in facts.objects if each not in below], start


def _completed(goal: Facts, disks: Sequence[str], pegs: Sequence[str], start: Mapping[str, str]) -> Mapping[str, str]:
    """Return the peg of each disk in a state in which a goal holds, smallest first; the start if it holds there."""
    lower, closed = goal.pairs("on"), {name for (name,) in goal.holding("clear")}
    upper = {second: first for first, second in lower.items()}

    def states(left: Sequence[str], tops: Mapping[str, str], found: dict[str, str]) -> Iterator[dict[str, str]]:
        """Yield (parts of) states that don't contradict the goal, those first in which large disks stay."""
        yield found
        for peg in sorted(pegs, key=lambda peg: peg != start[left[-1]]) if left else ():
            top = tops[peg]
            if lower.get(left[-1], top) == top and upper.get(top, left[-1]) == left[-1] and top not in closed:
                yield from states(left[:-1], {**tops, peg: left[-1]}, {left[-1]: peg, **found})

    for state in chain([start], islice(states(disks, dict(zip(pegs, pegs, strict=True)), {}), _MOST_TRIALS)):
        if len(state) == len(disks) and goal.initial <= standing(_piles(state, pegs)):
            return state
    raise UnsupportedError("no state of the disks has all that the goal says")


def _piles(state: Mapping[str, str], pegs: Sequence[str]) -> Piles:
    """Return the peg and its disks from the largest up, for each peg."""
    return [[peg, *(disk for disk in reversed([*state]) if state[disk] == peg)] for peg in pegs]
