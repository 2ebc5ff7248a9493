"""Pictures of states that are atoms: which objects are places, and what is in them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from attrs import evolve, field, frozen

from coc_core.domain import Column, Item, Scene
from coc_planning.pddl.task import Atom

_AT = re.compile(r".*?([0-9]{1,4})[^0-9]+([0-9]{1,4})")
_SPARSE = 10  # times as many cells as places, and it is no grid


Atoms = Sequence[Atom]


@frozen
class Drawing:
    """How the states of a domain are drawn. Atoms that actions change and that are not drawn are written below.

    Attributes:
        places: The kinds of the objects that are places, or names of other places; of no kinds, all objects are places.
        inside: By predicate, what an atom says to be in what, such as `{0} in {1}`, where `{0}` is its first object. A
            later predicate replaces what an earlier one says. What is in `-` is not drawn. Of other things than
            objects, only what is before an `@` is shown.
        carriers: The kinds of the things that others are in. Others follow these.
        looks: By predicate, the look of the place that is an atom's first object; a second one becomes its label.
        implied: The predicates that need not be written, since they follow from others.
        ways: The predicate that joins two places.
        kind: How the places are drawn, as in `Scene`: `graph`, `shaft`, or `grid`, if their names end in a row and a
            column, such as `c2-5`.
    """

    places: str = ""
    inside: Mapping[str, str] = field(factory=dict)
    carriers: str = ""
    looks: Mapping[str, Any] = field(factory=dict)
    implied: str = ""
    ways: str = ""
    kind: Literal["graph", "grid", "shaft"] = "graph"

    @property
    def predicates(self) -> frozenset[str]:
        """The predicates that are drawn."""
        return frozenset((*self.inside, *self.looks, self.ways))

    def scene(self, names: Sequence[str], holding: Atoms, fixed: Atoms, goal: Atoms) -> Scene:
        """Return the scene of objects, of the atoms that actions change, of the others, and of the goal."""
        wanted, carriers, atoms = self.places.split(), self.carriers.split(), (*fixed, *holding)
        kinds, held, marks = dict[str, str](), dict[str, str](), dict[str, Column]()
        for thing, predicate in ((atom.arguments[0], atom.predicate) for atom in fixed if len(atom.arguments) == 1):
            kinds[thing] = predicate if predicate in (*wanted, *carriers) else kinds.get(thing, predicate)
        for predicate, words in self.inside.items():
            for atom in (each for each in atoms if each.predicate == predicate):
                thing, place = words.format(*atom.arguments).split(" in ")
                held[thing] = place
        for atom in (each for each in atoms if each.predicate in self.looks):
            marks[atom.arguments[0]] = Column(" ".join(atom.arguments[1:]), look=self.looks[atom.predicate])
        places = [each for each in names if not wanted or kinds.get(each) in wanted]
        places += [each for each in wanted if each in held.values()]
        rows = _rows(places) if self.kind == "grid" else None

        def short(label: str) -> str:
            """Return a label that fits into a cell of a grid, such as `b2` for `box2`."""
            return re.sub("([a-z])[a-z_-]+", r"\1", label) if rows else label

        inside: dict[str, list[Item]] = {}
        for thing, place in held.items():
            label = thing.partition("@")[0]
            inside.setdefault(place, []).append(Item(thing, short(label), kind=kinds.get(thing, label)))

        def items(place: str) -> Iterator[Item]:
            for item in sorted(inside.get(place, ()), key=lambda item: item.kind in carriers):
                yield from (item, *items(item.name))

        number = {each: at for at, each in enumerate(places)}
        drawn = {*self.predicates, *self.implied.split()} - {each for each, to in self.inside.items() if to[-1] == "-"}
        told = " ".join(f"{atom}" for atom in holding if atom.predicate not in drawn)
        ends = ([number[each] for each in atom.arguments] for atom in atoms if atom.predicate == self.ways)
        ways = tuple(sorted({(min(each), max(each)) for each in ends if each[0] != each[1]}))
        goals = {each for atom in goal for each in atom.arguments}

        def column(place: str, label: str, look: Any = "") -> Column:
            mark = marks.get(place, Column("", look=look))
            return evolve(mark, label=f"{label} {short(mark.label)}".strip(), items=(*items(place),))

        if rows is None:
            kind: Any = self.kind.replace("grid", "graph")
            return Scene(tuple(column(each, each) for each in places), text=told, kind=kind, ways=ways)
        wall = Column("", look="wall")
        columns = (column(each, "", "goal" if each in goals else "") if each else wall for row in rows for each in row)
        return Scene(tuple(columns), text=told, kind="grid", width=len(rows[0]), ways=ways)


def _rows(places: Sequence[str]) -> list[list[str]] | None:
    """Return the places of a grid, row by row from the top, empty where there is none; None if it is not a grid."""
    found = {(-int(at[1]), int(at[2])): place for place in places if (at := _AT.fullmatch(place))}
    if not places or len(found) < len(places):
        return None
    rows, columns = (range(min(each), max(each) + 1) for each in zip(*found, strict=True))
    if len(rows) * len(columns) > _SPARSE * len(places):
        return None
    return [[found.get((row, column), "") for column in columns] for row in rows]
