"""Problems as atoms, and what has to be true of them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

from attrs import frozen

from coc_algorithms.planning.patterns import choices, matching, patterns
from coc_algorithms.planning.world import World
from coc_algorithms.shared import begun
from coc_core.text import Codec, list_of, quoted
from coc_planning.models import renamed
from coc_planning.pddl.task import Atom
from coc_planning.strips import NAME
from coc_programs import Call, Record

MOST_OBJECTS = 10_000


def _parse(text: str) -> Atom:
    predicate, *arguments = text.split(" ")
    return Atom(predicate, tuple(map(NAME.parse, arguments)))


_ATOMS = list_of(Codec(_parse, lambda atom: " ".join((atom.predicate, *atom.arguments))), "atom")
Atoms = Annotated[tuple[Atom, ...], _ATOMS]


@frozen(slots=False)
class Problem:
    """A problem of a domain, which has a subclass of its own.

    Attributes:
        start: All atoms that hold at the start. One of them says of which kind each object is.
        goal: The atoms that shall hold in the end.

    Raises:
        ValueError: It is not a problem of the domain; the message says why.
    """

    domain: ClassVar[Any]
    """The class of the domain."""

    start: Atoms
    goal: Atoms

    def __attrs_post_init__(self) -> None:
        kinds, signatures = self.domain.classes, self.domain.signatures
        for atom in (*self.start, *self.goal):
            if len(signatures.get(atom.predicate, "?" * 9)) != len(atom.arguments):
                known = ", ".join(f"{name} {len(several)}" for name, several in signatures.items())
                raise ValueError(f"{quoted(str(atom), 80)} is none of these, with so many arguments: {known}")
        if len({*self.start}) < len(self.start):
            raise ValueError("an atom is twice in the start")
        if len(self.kind_of) > MOST_OBJECTS:
            raise ValueError(f"{len(self.kind_of):,} objects are too many; the limit is {MOST_OBJECTS:,}")
        for atom in (*self.start, *self.goal):
            for name, allowed in zip(atom.arguments, signatures[atom.predicate], strict=True):
                if name not in self.kind_of:
                    raise ValueError(f"{quoted(name, 60)} is none of {', '.join(kinds)}")
                if self.kind_of[name] not in allowed and atom.predicate not in kinds:
                    raise ValueError(f"{quoted(str(atom), 80)}: {name:.60} is a {self.kind_of[name]}")
        if wrong := self.conflict(self.start) or self._missing() or self._unknown_goal():
            raise ValueError(wrong)
        _ = self.begun  # ValueError: the domain does not take it

    def __getstate__(self) -> dict[str, Any]:
        return {"start": self.start, "goal": self.goal}

    @cached_property
    def begun(self) -> tuple[Call, Sequence[Record], str | None]:
        """The call that solves the problem, all records, and why nothing does."""
        objects = {name: self.domain.classes[kind].unfinished() for name, kind in self.kind_of.items()}
        world, domain = World(objects, self.start, self.goal), self.domain()
        call = domain.build(world)
        unsolvable = self.conflict(self.goal) or domain.impossible(world)
        call, records = begun(call, world.objects)
        for record in records:
            type(record)(**record.fields)  # TypeError: a field has no value
        return call, records, unsolvable

    @classmethod
    def of_texts(cls, start: Iterable[str], goal: Iterable[str]) -> Self:
        """Return a problem of atoms such as `at car1 place2`."""
        return cls(tuple(map(_parse, start)), tuple(map(_parse, goal)))

    @cached_property
    def kind_of(self) -> Mapping[str, str]:
        """The kind of each object, kind by kind. The first object has the number 1."""
        kinds = [*self.domain.classes]
        if len(kinds) == 1:
            return {name: kinds[0] for atom in self.start for name in atom.arguments}
        found: dict[str, str] = {}
        for kind in kinds:
            for name in (atom.arguments[0] for atom in self.start if atom.predicate == kind):
                if found.setdefault(name, kind) != kind:
                    raise ValueError(f"{quoted(name, 60)} is a {found[name]} and a {kind}")
        return found

    def conflict(self, atoms: Iterable[Atom]) -> str | None:
        """Return which two atoms can't both hold; None if all can."""
        for group in (*self.domain.exactly_one, *self.domain.at_most_one):
            first: dict[Any, Atom] = {}
            for found, atom in matching(group, atoms, self.kind_of):
                if first.setdefault(found, atom) != atom:
                    return f"{first[found]} and {atom} can't both hold"
        return None

    def _missing(self) -> str | None:
        for group in self.domain.exactly_one:
            there = {found for found, _ in matching(group, self.start, self.kind_of)}
            for found in choices(group, self.kind_of):
                if found not in there:
                    atoms = renamed(patterns(group), {"_": "...", **dict(found)})
                    return f"{' or '.join(map(str, atoms))} is missing"
        return None

    def _unknown_goal(self) -> str | None:
        known = {atom for _, atom in matching(self.domain.goals, self.goal, self.kind_of)}
        for atom in self.goal:
            if atom not in known and atom.predicate in self.domain.lifted.changing:
                return f"the goal has {atom}; it may have {', '.join(map(str, patterns(self.domain.goals)))}"
        return None
