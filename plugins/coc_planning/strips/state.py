"""A state as the atoms that hold."""

from typing import Any

from attrs import field, frozen

from coc_planning.pddl.task import Atom

Fact = tuple[Any, ...]
"""A predicate, and the names or the numbers of its objects."""


@frozen
class State:
    """A state: the names of objects, `names[number - 1]`; what holds of what actions change, and what once did; and the
    rest.
    """

    names: tuple[str, ...] = field(repr=False)
    holding: frozenset[Fact]
    fixed: frozenset[Fact] = field(repr=False)
    ended: frozenset[Fact] = field(default=frozenset(), eq=False)

    @property
    def atoms(self) -> list[Atom]:
        """All that holds, in words."""
        return sorted(map(self.words, self.holding | self.fixed))

    def words(self, fact: Fact) -> Atom:
        """Return an atom with the names of its objects, or their numbers if there are no such objects."""
        predicate, *objects = fact
        return Atom(predicate, tuple(each if isinstance(each, str) else self._name(each) for each in objects))

    def _name(self, number: int) -> str:
        return self.names[number - 1] if number <= len(self.names) else f"object {number}"
