"""Things that lie on one another in some places, of which the top one of a place is moved onto that of another."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from coc_core.domain import Scene
from coc_core.errors import ActionFault
from coc_planning.lifted import Facts, Lifted, Operator
from coc_planning.models.base import Action, LazyScene, SingleMoves
from coc_planning.pddl.task import Atom

Piles = Sequence[Sequence[str]]
"""Each place with what lies there, from the bottom up."""


class PilesModel(SingleMoves):
    """A scene has a column for each place, and a text of a move ends with the numbers of the places: `from 1 to 2`.

    Args:
        title: The name of the domain in PDDL.
        operators: What each operator needs beside that the thing and what it is moved to are clear.
        forbids: What they forbid.
    """

    thing: ClassVar[str]
    place: ClassVar[str]
    text: ClassVar[str]
    """The text of a move, with the numbers of the thing and of the places left out."""

    def __init__(self, title: str, operators: Mapping[str, str], forbids: str = "") -> None:
        it = f"?{self.thing}"

        def operator(name: str, needs: str) -> Operator:
            needs = f"{needs} (on {it} ?from) (clear {it}) (clear ?to)"
            effects = f"(clear ?from) (on {it} ?to)", f"(on {it} ?from) (clear ?to)"
            return Operator.of(f"{name} {it} ?from ?to", needs, *effects, forbids)

        self.forms = tuple(
            Lifted.of(title, *(operator(name, needs + typed) for name, needs in operators.items()))
            for typed in ("", f"(type:{self.thing} {it})")
        )

    @abstractmethod
    def ends(self, problem: Any) -> Sequence[Sequence[int]]:
        """Return the numbers of what lies in each place in the end, from the bottom up."""

    def fixed(self, things: Sequence[str], places: Sequence[str]) -> Iterable[Atom]:
        """Return what always holds."""
        return ()

    def operator(self, lower: str, upper: str) -> str:
        """Return the operator for a thing that lies on one thing or place, and is moved onto another."""
        return "move"

    def facts(self, problem: Any, scene: Scene) -> Facts:
        ends = self.ends(problem)
        things, places = self._things(sorted(each for pile in ends for each in pile)), self._places(ends)
        goal = on([place, *self._things(pile)] for place, pile in zip(places, ends, strict=True))
        initial = standing(self._piles(scene)).union(self.fixed(things, places))
        return Facts((*things, *places), frozenset(initial), tuple(goal))

    def typed(self, problem: Any) -> frozenset[Atom]:
        ends = self.ends(problem)
        kinds = {self.thing: self._things(each for pile in ends for each in pile), self.place: self._places(ends)}
        return frozenset(Atom(f"type:{kind}", (name,)) for kind, names in kinds.items() for name in names)

    def action(self, scene: LazyScene, move: str) -> Action:
        piles = self._piles(scene())
        source, target = (piles[int(number) - 1] for number in re.findall("[0-9]+", move)[-2:])
        return self.operator(source[-2], target[-1]), (source[-1], source[-2], target[-1])

    def move(self, scene: LazyScene, action: Action) -> str:
        name, arguments = action
        places = {each: (number, pile) for number, pile in enumerate(self._piles(scene()), 1) for each in pile}
        if len(arguments) != 3 or not places.keys() >= {*arguments} or self.is_place(arguments[0]):
            raise ValueError(f"it is not (move {self.thing.upper()} FROM TO)")
        thing, lower, upper = arguments
        if name != (right := self.operator(lower, upper)):
            raise ValueError(f"it is not ({right} {thing} {lower} {upper})")
        (source, pile), (target, onto) = places[thing], places[upper]
        if pile[pile.index(thing) - 1] != lower:
            raise ActionFault(f"{thing} is not on {lower}")
        if onto[-1] != upper:
            raise ActionFault(f"{upper} is not clear")
        return self.text.format(thing[1:], source, target)

    def is_place(self, name: str) -> bool:
        """Return whether a name of ours is that of a place."""
        return name.startswith(self.place)

    def names(self, things: Sequence[str], places: Sequence[str]) -> dict[str, str]:
        """Return the names of another problem by ours."""
        ours = *self._things(range(1, len(things) + 1)), *self._places(places)
        return dict(zip(ours, (*things, *places), strict=True))

    def _piles(self, scene: Scene) -> Piles:
        columns = [self._things(item.name.lstrip("B") for item in column.items) for column in scene.columns]
        return [[place, *things] for place, things in zip(self._places(columns), columns, strict=True)]

    def _things(self, numbers: Iterable[int | str]) -> list[str]:
        return [f"{self.thing[0]}{number}" for number in numbers]

    def _places(self, places: Sequence[Any]) -> list[str]:
        return [f"{self.place}{number}" for number in range(1, len(places) + 1)]


def towers(below: Mapping[str, str], bases: Iterable[str]) -> list[list[str]]:
    """Return what stands on these bases, and they, where `below` has what each other thing is on."""
    above = {lower: upper for upper, lower in below.items()}
    found = []
    for base in bases:
        tower = [base]
        while tower[-1] in above and len(tower) <= len(below):
            tower.append(above[tower[-1]])
        found.append(tower)
    return found


def on(piles: Iterable[Sequence[str]]) -> list[Atom]:
    """Return what lies on what, from the bottom up."""
    return [Atom("on", (upper, lower)) for pile in piles for lower, upper in pairwise(pile)]


def standing(piles: Piles) -> set[Atom]:
    """Return all atoms that hold of piles."""
    return {*on(piles), *(Atom("clear", (pile[-1],)) for pile in piles)}
