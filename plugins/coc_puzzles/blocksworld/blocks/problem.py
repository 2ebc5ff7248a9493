"""A problem: where the blocks are, and a conjunction of atoms that shall hold in the end; and its text form."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

from attrs import frozen

from coc_core.text import Codec, Form, Forms, list_of, quoted
from coc_puzzles.blocksworld.towers import MOST_BLOCKS

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
