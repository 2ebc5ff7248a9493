"""Problems: where the blocks are, and atoms that shall hold in the end; their text form, and which are drawn."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, pairwise, permutations
from typing import Any

from attrs import frozen

from coc_core.text import Codec, Form, Forms, list_of, quoted
from coc_puzzles.blocksworld.towers import MOST_BLOCKS, cut

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
