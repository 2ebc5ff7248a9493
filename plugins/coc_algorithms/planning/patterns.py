"""Patterns of atoms: `(at ?car _) (on ?car)` are the atoms that say where each car is, or that it is on something.

A variable stands for each object of the kind that it names, and `_` for any object. All patterns of a text have the
same variables.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product

from coc_planning.pddl.task import Atom

Found = tuple[tuple[str, str], ...]
"""The variables, in alphabetical order, each with an object."""


@cache
def patterns(text: str) -> tuple[Atom, ...]:
    """Return the patterns in a text."""
    return tuple(Atom(name, tuple(rest)) for name, *rest in map(str.split, re.findall(r"\(([^()]+)\)", text)))


def choices(text: str, kind_of: Mapping[str, str]) -> Iterator[Found]:
    """Yield all choices of objects for the variables."""
    variables = sorted({name for pattern in patterns(text) for name in pattern.arguments} - {"_"})
    pairs = ([(variable, name) for name, kind in kind_of.items() if kind == variable[1:]] for variable in variables)
    return product(*pairs)


def matching(text: str, atoms: Iterable[Atom], kind_of: Mapping[str, str]) -> Iterator[tuple[Found, Atom]]:
    """Yield the atoms that have one of the patterns, each with the objects for the variables."""
    for atom in atoms:
        for pattern in patterns(text):
            if pattern.predicate == atom.predicate:
                found = sorted(pair for pair in zip(pattern.arguments, atom.arguments, strict=True) if pair[0] != "_")
                if all(kind_of[name] == variable[1:] for variable, name in found):
                    yield tuple(found), atom
