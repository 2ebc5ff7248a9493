"""The people: actor a1 and his agent A1 are a pair. Their text forms, and the rule that actors obey."""

from collections.abc import Collection
from functools import cache
from typing import Literal, NamedTuple

from coc_core.text import Codec, list_of, parse_decimal, quoted


class Person(NamedTuple):
    """An agent, `A`, or an actor, `a`. In order, the agent of a pair comes before the actor."""

    pair: int
    kind: Literal["A", "a"]

    def __str__(self) -> str:
        return f"{self.kind}{self.pair}"


People = tuple[Person, ...]


def parse_person(text: str) -> Person:
    """Return the person of that name; ValueError if it is not the name of one."""
    match text[:1]:
        case "A" | "a" as kind:
            return Person(parse_decimal(text[1:]), kind)
    raise ValueError(f"{quoted(text, 24)} is not a person; agents are A1, A2, and so on, their actors a1, a2")


PEOPLE = list_of(Codec(parse_person), "person")
"""The codec of a list of people, such as `[A1, a1]`."""


@cache
def pairs(first: int, last: int) -> People:
    """Return both people of each pair from the first to the last."""
    return tuple(Person(pair, kind) for pair in range(first, last + 1) for kind in ("A", "a"))


def conflict(together: Collection[Person]) -> str | None:
    """Who breaks the rule: an actor is with an agent only if their own agent is there, too; None if nobody does."""
    agents = {pair for pair, kind in together if kind == "A"}
    alone = {pair for pair, kind in together if kind == "a"} - agents
    return f"a{min(alone)} is with A{min(agents)}, but without A{min(alone)}" if agents and alone else None
