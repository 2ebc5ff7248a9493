"""Tower of Hanoi, with one operator, or with several, by what a disk moves from and to."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, product
from typing import Any

from attrs import evolve

from coc_core.domain import Scene
from coc_core.errors import UnsupportedError
from coc_planning.lifted import Facts
from coc_planning.models.base import Reading
from coc_planning.models.piles import Piles, PilesModel, standing
from coc_planning.pddl.task import Atom

_MOST_TRIALS = 100_000  # to complete a goal


class HanoiAnyModel(PilesModel):
    """Any start, and any goal that does not contradict itself.

    Args:
        by_source: Whether there are operators of their own for what a disk is moved from.
        by_target: Whether there are operators of their own for what it is moved to. Only then need it not be smaller
            than a peg.
    """

    domain = "hanoi-any"
    thing, place, text = "disk", "peg", "Move disk {} from {} to {}"

    def __init__(self, *, by_source: bool = False, by_target: bool = False) -> None:
        self._by_source, self._by_target = by_source, by_target
        operators = {}
        for source, target in product(("disk", "peg"), repeat=2):
            needs = f"(type:{source} ?from)" * by_source + f"(type:{target} ?to)" * by_target
            needs += "(smaller ?disk ?to)" * (not by_target or target == "disk")
            operators[self.operator(source, target)] = needs
        super().__init__("hanoi", operators)

    def operator(self, lower: str, upper: str) -> str:
        source, target = ("peg" if self.is_place(each) else "disk" for each in (lower, upper))
        return "move" + f"-from-{source}" * self._by_source + f"-to-{target}" * self._by_target

    def ends(self, problem: Any) -> Sequence[Sequence[int]]:
        disks = range(len(problem.goal), 0, -1)
        return [[disk for disk in disks if problem.goal[disk - 1] == peg] for peg in range(1, problem.pegs + 1)]

    def fixed(self, things: Sequence[str], places: Sequence[str]) -> Iterable[Atom]:
        larger = product(things, () if self._by_target else places)
        return (Atom("smaller", pair) for pair in (*combinations(things, 2), *larger))

    def read(self, facts: Facts) -> Reading:
        disks, pegs, start = _layout(facts)
        if wrong := [disk for disk in disks if start[disk] not in pegs]:
            raise UnsupportedError(f"{wrong[0]} is not on a peg")
        goal = _completed(facts.wanted, disks, pegs, start)
        numbers = {peg: str(number) for number, peg in enumerate(pegs, 1)}
        texts = (", ".join(numbers[state[disk]] for disk in disks) for state in (start, goal))
        return Reading("pegs={} start=[{}] goal=[{}]".format(len(pegs), *texts), self.names(disks, pegs))


class HanoiModel(HanoiAnyModel):
    """A whole tower on some peg, which is moved to another one."""

    def __init__(self, domain: str, pegs: int) -> None:
        super().__init__()
        self.domain = domain  # type: ignore[misc]
        self._pegs = pegs

    def ends(self, problem: Any) -> Sequence[Sequence[int]]:
        return [range(problem.n, 0, -1) if peg == problem.dst else () for peg in range(1, self._pegs + 1)]

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
                return Reading(text, self.names(disks, pegs))
        raise UnsupportedError(
            f"{self.domain} moves one whole tower from a peg to another, and this problem is another one"
        )


def _layout(facts: Facts) -> tuple[list[str], list[str], dict[str, str]]:
    """Return the disks, smallest first, the pegs, and on which peg, if it is one, each disk is."""
    below = facts.pairs("on")
    larger = Counter(disk for disk, _ in facts.holding("smaller"))
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
