"""Problems and states: the text form of a problem, which are drawn, what an atom says, and what atoms contradict.

The goal of a problem is a conjunction of atoms. An atom fills slots, which are the variables of a state: what is below
a block, what is above it, and what the hand holds. `on a b` fills the slot below a with b, and the slot above b with a.
Nothing is above a clear block, and nothing can be on one in the hand. So two atoms that fill a slot differently
contradict each other; otherwise only a cycle keeps an arrangement from existing.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, permutations
from typing import Any

from attrs import field, frozen

from coc_core.domain import Assignment
from coc_core.text import Codec, Form, Forms, list_of, quoted
from coc_puzzles.blocksworld.domain import MOST_BLOCKS, NOTHING, TABLE, cut

Atom = tuple[Any, ...]
"""A predicate and the names or the numbers of its blocks, such as `("on", "a", "b")`."""

PREDICATES = {"on": 2, "ontable": 1, "clear": 1, "handempty": 0, "holding": 1}
"""How many blocks each predicate has. `on a b`: block a is directly on block b."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
_MOST_ATOMS = 4 * MOST_BLOCKS


@frozen
class Problem:
    """Towers from the table up, the block in the hand (none or one), and the atoms of the goal, by names."""

    start: tuple[tuple[str, ...], ...]
    hand: tuple[str, ...]
    goal: tuple[Atom, ...]

    def __attrs_post_init__(self) -> None:
        blocks = [*chain.from_iterable(self.start), *self.hand]
        if len(blocks) > MOST_BLOCKS:
            raise ValueError(f"{len(blocks):,} blocks are too many; the limit is {MOST_BLOCKS:,}")
        if len(self.goal) > _MOST_ATOMS:
            raise ValueError(f"{len(self.goal):,} atoms are too many; the limit is {_MOST_ATOMS:,}")
        if () in self.start:
            raise ValueError("a tower is empty; leave it out")
        if len(self.hand) > 1:
            raise ValueError("the hand holds more than one block")
        for name, count in Counter(blocks).items():
            if count > 1:
                raise ValueError(f"{quoted(name, 60)} appears twice in the start")
        known = set(blocks)
        for name in chain.from_iterable(names for _, *names in self.goal):
            if name not in known:
                raise ValueError(f"{quoted(name, 60)} is in the goal, but not in the start")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the blocks, short ones first: B1, B2, and so on stand for them in prompts and actions."""
        return tuple(sorted((*chain.from_iterable(self.start), *self.hand), key=lambda name: (len(name), name)))

    def numbered(self, atoms: Iterable[Atom]) -> list[Atom]:
        """Return the same atoms, with the number of each block for its name."""
        numbers = {name: number for number, name in enumerate(self.names, 1)}
        return [(predicate, *(numbers[name] for name in names)) for predicate, *names in atoms]


def atoms_of(towers: Iterable[Sequence[str]], hand: tuple[str, ...]) -> Iterator[Atom]:
    """Yield all atoms that hold where these towers stand, with one block in the hand or none."""
    for tower in towers:
        yield "ontable", tower[0]
        yield from (("on", block, lower) for lower, block in pairwise(tower))
        yield "clear", tower[-1]
    yield ("holding", *hand) if hand else ("handempty",)


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError(f"{quoted(text, 60)} is not a name: a letter, then letters, digits, - and _")
    return text


def _atom(text: str) -> Atom:
    predicate, *names = text.split(" ")
    if len(names) != PREDICATES.get(predicate):
        forms = ", ".join(" ".join((each, *"ab"[:count])) for each, count in PREDICATES.items())
        raise ValueError(f"{quoted(text, 60)} is not one of {forms}")
    return predicate, *map(_name, names)


_BLOCKS = list_of(Codec(_name), "block")

PROBLEMS: Forms[Problem] = Forms(
    Form.of(
        Problem,
        "start={start} & hand={hand} & goal={goal}",
        start=list_of(_BLOCKS, "tower"),
        hand=_BLOCKS,
        goal=list_of(Codec(_atom, " ".join), "atom"),
    )
)


Towers = tuple[tuple[str, ...], ...]
Arrangement = tuple[Towers, tuple[str, ...]]
"""Towers, and the block in the hand."""


def drawn(n: int, rng: random.Random) -> Problem:
    """Draw a problem.

    One arrangement in six has one tower, one in six has each block on the table, and in the others the number of towers
    is uniform. One in eight has a block in the hand. One goal in eight is at most three moves away from the start. Half
    of the goals lack atoms: each is kept with the same probability, which is uniform from 0.3 to 1.
    """
    names = [f"B{number}" for number in range(1, n + 1)]
    start = _arranged(names, rng)
    atoms = tuple(atoms_of(*(_moved(start, rng) if rng.randrange(8) == 0 else _arranged(names, rng))))
    if rng.randrange(2):
        share = rng.uniform(0.3, 1)
        atoms = tuple(atom for atom in atoms if rng.random() < share)
    return Problem(*start, atoms)


def _arranged(names: list[str], rng: random.Random) -> Arrangement:
    blocks = tuple(rng.sample(names, len(names)))
    held = int(rng.randrange(8) == 0)
    hand, blocks = blocks[:held], blocks[held:]
    most = len(blocks)
    count = rng.choice((1, most, *(rng.randint(1, most) for _ in range(4)))) if blocks else 0
    return cut(blocks, sorted(rng.sample(range(1, most), max(count - 1, 0)))), hand


def _moved(arrangement: Arrangement, rng: random.Random) -> Arrangement:
    """Return the arrangement after up to three blocks have been put elsewhere; a block in the hand stays there."""
    towers = [list(tower) for tower in arrangement[0]]
    for _ in range(rng.randrange(4) if towers else 0):
        block = rng.choice(towers).pop()
        towers = [tower for tower in towers if tower]
        rng.choice([*towers, new := list[str]()]).append(block)
        towers += [new] if new else []
    return tuple(map(tuple, towers)), arrangement[1]


def listed(n: int) -> Iterator[Problem]:
    """Yield every pair of arrangements of `n` blocks, the second of which is the goal, with all its atoms.

    Since names mean nothing, a goal has B1, B2, and so on from tower to tower, the tallest first.
    """
    names = tuple(f"B{number}" for number in range(1, n + 1))
    for held in (0, 1):
        for heights in _partitions(n - held, n):
            ends = [sum(heights[:count]) for count in range(1, len(heights))]
            goal = tuple(atoms_of(cut(names[: n - held], ends), names[n - held :]))
            yield from (Problem(*start, goal) for start in _arrangements(names))


def _arrangements(names: tuple[str, ...]) -> Iterator[Arrangement]:
    """Yield every arrangement once: its towers come in the order of their lowest blocks."""
    for hand in ((), *((name,) for name in names)):
        places = range(1, len(names) - len(hand))
        for blocks in permutations(name for name in names if name not in hand):
            for cuts in chain.from_iterable(combinations(places, count) for count in range(len(places) + 1)):
                towers = cut(blocks, cuts)
                if all(names.index(one[0]) < names.index(other[0]) for one, other in pairwise(towers)):
                    yield towers, hand


def _partitions(total: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a sum of descending numbers, the first of which is at most `most`."""
    if not total:
        yield ()
    for first in range(min(total, most), 0, -1):
        yield from ((first, *rest) for rest in _partitions(total - first, first))


HAND = -1
IN_HAND = "hand", 0
"""The slot of what the hand holds."""


@frozen
class Blocks:
    """The state.

    Attributes:
        names: The name of each block: `names[b - 1]` for block b.
        slots: What fills each slot: a block, or the TABLE, the HAND or NOTHING.
    """

    names: tuple[str, ...]
    slots: Assignment = field(eq=lambda slots: frozenset(slots.items()))

    @property
    def below(self) -> tuple[int, ...]:
        """What each block is on: `below[b - 1]` is a block, the TABLE or the HAND, for block b."""
        return tuple(self.slots["below", block] for block in range(1, len(self.names) + 1))

    @property
    def hand(self) -> int | None:
        """The block in the hand, if there is one."""
        held: int = self.slots[IN_HAND]
        return None if held == NOTHING else held

    def name(self, block: int) -> str:
        """Return the name of a block."""
        return self.names[block - 1]


def filled(atom: Atom) -> Mapping[tuple[str, Any], Any]:
    """Return the slots that an atom fills, and what it fills them with."""
    match atom:
        case "on", block, lower:
            return {("below", block): lower, ("above", lower): block}
        case "ontable", block:
            return {("below", block): TABLE}
        case "clear", block:
            return {("above", block): NOTHING}
        case "holding", block:
            return {("below", block): HAND, ("above", block): HAND, IN_HAND: block}
        case _:  # handempty
            return {IN_HAND: NOTHING}


def all_filled(atoms: Iterable[Atom]) -> dict[tuple[str, Any], Any]:
    """Return the slots that atoms fill which don't contradict each other."""
    return dict(chain.from_iterable(filled(atom).items() for atom in atoms))


def contradiction(goal: Iterable[Atom]) -> str | None:
    """Return why no arrangement of the blocks has all these atoms; None if one has."""
    found: dict[tuple[str, Any], tuple[Any, Atom]] = {}
    for atom in goal:
        for slot, filler in filled(atom).items():
            already, other = found.setdefault(slot, (filler, atom))
            if already != filler:
                return f"'{' '.join(other)}' and '{' '.join(atom)}' contradict each other"
    lower = {block: filler for (side, block), (filler, _) in found.items() if side == "below"}
    seen = set[str]()
    for first in lower:
        path = [first]
        while path[-1] in lower and path[-1] not in seen:  # no two blocks are on one, so a way back leads to the first
            seen.add(path[-1])
            path.append(lower[path[-1]])
        if len(path) > 1 and path[-1] == first:
            return f"the goal has a cycle: {' on '.join(path)}"
    return None


def completed(problem: Problem) -> Mapping[str, Any]:
    """Return what each block is on in the arrangement that a run works towards: a block, the TABLE or the HAND.

    The goal places some blocks. Each other block stays where it is if all that is below it stays and the goal wants
    nothing else there; otherwise it goes onto the table. One in the hand stays there only if no other has to move.
    """
    wanted = all_filled(problem.goal)
    places: dict[Any, Any] = {}
    all_stand = True
    for tower in problem.start:
        stands = True
        for lower, block in pairwise((TABLE, *tower)):
            may_stay = stands and ("above", lower) not in wanted
            places[block] = wanted.get(("below", block), lower if may_stay else TABLE)
            stands = stands and places[block] == lower
        all_stand = all_stand and stands
    for block in problem.hand:
        may_stay = all_stand and ("above", block) not in wanted and IN_HAND not in wanted
        places[block] = wanted.get(("below", block), HAND if may_stay else TABLE)
    return places
