"""Problems of planning domains: what holds at the start, what shall hold in the end, and what has to be true."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Self

from attrs import frozen

from coc_core.text import Codec, list_of, quoted
from coc_planning.pddl.task import Atom
from coc_planning.strips import NAME

MOST_OBJECTS = 10_000


def _parse(text: str) -> Atom:
    predicate, *arguments = text.split(" ")
    return Atom(predicate, tuple(map(NAME.parse, arguments)))


ATOMS = list_of(Codec(_parse, lambda atom: " ".join((atom.predicate, *atom.arguments))), "atom")
Atoms = Annotated[tuple[Atom, ...], ATOMS]


@frozen(slots=False)
class Task:
    """A problem. A subclass has `kinds`, and a method `check` that says what has to be true of it.

    Attributes:
        start: All atoms that hold at the start. One of them says of which kind each object is.
        goal: The atoms that shall hold in the end.
    """

    kinds: ClassVar[Sequence[str]]
    """The predicates that say of which kind an object is."""
    signatures: ClassVar[Mapping[str, Sequence[Collection[str]]]]
    """The kinds that each argument of each predicate may be of."""

    functions: ClassVar[Mapping[str, int]] = {}
    """How many first arguments decide on the others, for each predicate of which that is so."""

    start: Atoms
    goal: Atoms

    def __attrs_post_init__(self) -> None:
        for atom in (*self.start, *self.goal):
            if len(self.signatures.get(atom.predicate, "?" * 9)) != len(atom.arguments):
                known = ", ".join(f"{name} {len(kinds)}" for name, kinds in self.signatures.items())
                raise ValueError(f"{quoted(str(atom), 80)} is none of these, with so many arguments: {known}")
        if len({*self.start}) < len(self.start):
            raise ValueError("an atom is twice in the start")
        if len(self.objects) > MOST_OBJECTS:
            raise ValueError(f"{len(self.objects):,} objects are too many; the limit is {MOST_OBJECTS:,}")
        for atom in (*self.start, *self.goal):
            for name, kinds in zip(atom.arguments, self.signatures[atom.predicate], strict=True):
                if name not in self.kind_of:
                    raise ValueError(f"{quoted(name, 60)} is none of {', '.join(self.kinds)}")
                if self.kind_of[name] not in kinds and atom.predicate not in self.kinds:
                    raise ValueError(f"{quoted(str(atom), 80)}: {name:.60} is a {self.kind_of[name]}")
        if both := self._conflict(self.start):
            raise ValueError(both)
        self.check()

    def check(self) -> None:
        """Raise ValueError, with the reason, for what is no problem of the domain."""

    @property
    def impossible(self) -> str | None:
        """Why nothing solves it, if its goals agree with each other; None if something does."""
        return None

    @property
    def contradiction(self) -> str | None:
        """Which goals can't hold together; None if all can."""
        return self._conflict(self.goal)

    def _conflict(self, atoms: Iterable[Atom]) -> str | None:
        first: dict[tuple[str, ...], Atom] = {}
        for atom in atoms:
            if atom.predicate in self.functions:
                key = (atom.predicate, *atom.arguments[: self.functions[atom.predicate]])
                if first.setdefault(key, atom) != atom:
                    return f"{first[key]} and {atom} can't both hold"
        return None

    def only(self, predicate: str, *, goal: bool = False) -> str | None:
        """Return the object that a predicate of one argument holds of; None if there is none."""
        found = self.holding(predicate, self.goal if goal else self.start)
        return found[0][0] if found else None

    def every(self, predicate: str) -> set[str]:
        """Return the objects that a predicate of one argument holds of at the start."""
        return {name for (name,) in self.holding(predicate)}

    def left(self, predicate: str) -> list[str]:
        """Return the objects that a predicate of one argument shall hold of in the end, and does not at the start."""
        wanted, done = dict.fromkeys(self.holding(predicate, self.goal)), self.every(predicate)
        return [name for (name,) in wanted if name not in done]

    def the(self, predicate: str) -> str:
        """Return the object that a predicate of one argument holds of at the start; ValueError if there is none."""
        found = self.only(predicate)
        if found is None:
            raise ValueError(f"({predicate} ...) is missing")
        return found

    @cached_property
    def kind_of(self) -> Mapping[str, str]:
        """The kind of each object, kind by kind."""
        found: dict[str, str] = {}
        if len(self.kinds) == 1:
            return {name: self.kinds[0] for atom in self.start for name in atom.arguments}
        for kind in self.kinds:
            for (name,) in self.holding(kind):
                if found.setdefault(name, kind) != kind:
                    raise ValueError(f"{quoted(name, 60)} is a {found[name]} and a {kind}")
        return found

    @cached_property
    def objects(self) -> tuple[str, ...]:
        """The names of the objects. The first one has the number 1."""
        return tuple(self.kind_of)

    def of(self, kind: str) -> list[str]:
        """Return the names of the objects of a kind."""
        return [name for name, other in self.kind_of.items() if other == kind]

    def holding(self, predicate: str, atoms: Iterable[Atom] | None = None) -> list[tuple[str, ...]]:
        """Return the arguments of the atoms of a predicate at the start, or of others."""
        return [atom.arguments for atom in (self.start if atoms is None else atoms) if atom.predicate == predicate]

    def mapping(self, predicate: str, total: str = "", *, goal: bool = False) -> dict[str, str]:
        """Return the second argument by the first one, for a predicate of the start or the goal (its first atoms).

        Each object of the kinds `total` needs one.
        """
        found: dict[str, str] = {}
        for first, second in self.holding(predicate, self.goal if goal else self.start):
            found.setdefault(first, second)
        for name, kind in self.kind_of.items() if total else ():
            if kind in total.split() and name not in found:
                raise ValueError(f"({predicate} {name} ...) is missing")
        return found

    @classmethod
    def of_texts(cls, start: Iterable[str], goal: Iterable[str]) -> Self:
        """Return a problem of atoms such as `at p1 l1`."""
        return cls(tuple(map(_parse, start)), tuple(map(_parse, goal)))


class Placed(Task):
    """A problem of things that are at places, and belong at others."""

    @cached_property
    def place_of(self) -> dict[str, str]:
        """Where each thing is at the start that is at a place."""
        return self.mapping("at")

    @cached_property
    def wanted(self) -> dict[str, str]:
        """Where things belong that shall be somewhere in the end."""
        return self.mapping("at", goal=True)
