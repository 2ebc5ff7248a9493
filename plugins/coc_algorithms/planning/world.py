"""The objects of a problem as records, and what holds of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from coc_planning.pddl.task import Atom
from coc_programs import Record

RecordT = TypeVar("RecordT", bound=Record)


class Holding:
    """What holds of objects: at the start, or in the end.

    A pattern has objects, and in place of one of them a class: `start.one("at", car, Location)` is where a car is, and
    `start.all("at", Car, place)` are the cars at a place.
    """

    def __init__(self, atoms: Iterable[Atom], objects: Mapping[str, Record]) -> None:
        self._objects = objects
        self._atoms = defaultdict[str, list[Sequence[str]]](list)
        for atom in atoms:
            self._atoms[atom.predicate].append(atom.arguments)
        self._found: dict[tuple[str, int | None], dict[tuple[Any, ...], list[Any]]] = {}

    def holds(self, predicate: str, *objects: Record) -> bool:
        """Return whether a predicate holds of objects."""
        return objects in self._index(predicate, None)

    def all(self, predicate: str, *pattern: Record | type[Record]) -> list[Any]:
        """Return the objects of the class in a pattern of which a predicate holds, in the order of the problem."""
        place = next(place for place, each in enumerate(pattern) if isinstance(each, type))
        return self._index(predicate, place).get(pattern, [])

    def _index(self, predicate: str, place: int | None) -> Mapping[tuple[Any, ...], list[Any]]:
        """Return the objects in one place of a predicate's atoms, by the others, with their class in that place."""
        if (predicate, place) not in self._found:
            index = self._found[predicate, place] = defaultdict(list)
            for names in self._atoms[predicate]:
                key: list[Any] = [self._objects[name] for name in names]
                found: Any = True
                if place is not None:
                    found, key[place] = key[place], type(key[place])
                index[tuple(key)].append(found)
        return self._found[predicate, place]

    def one(self, predicate: str, *pattern: Record | type[Record]) -> Any:
        """Return the first of these objects, or None."""
        return next(iter(self.all(predicate, *pattern)), None)


class World:
    """The objects of a problem as records with the defaults of their fields, which `PlanningProgram.build` sets.

    `world[Car]` are all cars, in the order of the problem.

    Attributes:
        start: What holds at the start.
        goal: What shall hold in the end.
        objects: The records, in the order of the problem.
    """

    def __init__(self, objects: Mapping[str, Record], start: Iterable[Atom], goal: Iterable[Atom]) -> None:
        self.objects = [*objects.values()]
        self.start, self.goal = Holding(start, objects), Holding(goal, objects)
        self._names = {id(record): name for name, record in objects.items()}

    def __getitem__(self, kind: type[RecordT]) -> Sequence[RecordT]:
        return [record for record in self.objects if isinstance(record, kind)]

    def left(self, predicate: str, kind: type[RecordT]) -> Sequence[RecordT]:
        """Return the objects of which a predicate shall hold, and does not hold at the start."""
        wanted: Sequence[RecordT] = self.goal.all(predicate, kind)
        return [each for each in dict.fromkeys(wanted) if not self.start.holds(predicate, each)]

    def name(self, record: Record | None) -> str:
        """Return what the problem calls an object."""
        return self._names.get(id(record), "?")
