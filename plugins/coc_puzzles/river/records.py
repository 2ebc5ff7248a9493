"""The people, and the problems, instructions and actions of river crossing, with their text forms; and shortest plans.

Actor a1 and his agent A1 are a pair.
"""

from collections.abc import Collection
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from attrs import field, frozen, validators

from coc_core.text import Codec, Form, Forms, list_of, parse_decimal, quoted


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


Plan = tuple[People, ...]


def _plan(crossings: str) -> Plan:
    return tuple(tuple(map(parse_person, people.split())) for people in crossings.split(","))


PLANS: dict[int, tuple[Plan, ...]] = {
    1: (),
    2: (
        _plan("A1 a1"),
        _plan("A1 a1, A1, A1 A2, a1, a1 a2"),
        _plan("A1 a1, A1, a2 a3, a1, A2 A3, A2 a2, A1 A2, a3, a1 a2, a1, a1 a3"),
    ),
    3: (
        _plan("A1 a1"),
        _plan("A1 a1 A2, a1, a1 a2"),
        _plan("a1 a2 a3, a1, A1 A2 A3, A1, A1 a1"),
        _plan("a1 a2 a3, a1, a1 a4, a1, A2 A3 A4, A2 a2, A1 a1 A2, a1, a1 a2"),
        _plan("a1 a2 a3, a1, a1 a4 a5, a1 a2, A3 A4 A5, A3 a3, A1 A2 A3, a4, a1 a2 a3, a1, a1 a4"),
    ),
}
"""For each boat, by how many people it takes, the plans for 1, 2, 3 ... pairs. More pairs can't cross in it."""


MOST_PAIRS = 50
MOST_PEOPLE = 10
"""How many people the largest boat takes."""

Bank = Literal["left", "right"]
OTHER: dict[Bank, Bank] = {"left": "right", "right": "left"}

_pairs = validators.and_(validators.ge(1), validators.le(MOST_PAIRS))
_boat = validators.and_(validators.ge(1), validators.le(MOST_PEOPLE))


@frozen
class Crossing:
    """A problem: bring that many pairs from the left bank to the right, in a boat for so many people."""

    pairs: int = field(validator=_pairs)
    boat: int = field(validator=_boat)


@frozen
class Ferry:
    """Bring the pairs from 1 to `pairs` over, which are on the left bank with the boat."""

    pairs: int = field(validator=_pairs)
    boat: int = field(validator=_boat)


@frozen
class Trip:
    """Continue the plan for so many pairs and a small boat with that crossing."""

    number: int = field(validator=validators.ge(1))
    pairs: int = field(validator=validators.ge(1))
    boat: int = field(validator=_boat)

    def __attrs_post_init__(self) -> None:
        plans = PLANS.get(self.boat, ())
        if self.pairs > len(plans) or self.number > len(plans[self.pairs - 1]):
            raise ValueError(f"no plan for {self.pairs} pairs and a boat of {self.boat} has a crossing {self.number}")


@frozen
class Row:
    """The action: the people row to that bank."""

    people: People = field(validator=validators.min_len(1))
    bank: Bank = field(validator=validators.in_(OTHER))

    def __attrs_post_init__(self) -> None:
        for one, other in pairwise(self.people):
            if one >= other:
                raise ValueError(f"{one} comes before {other}; the order is A1, a1, A2, a2, and so on")


Instruction = Ferry | Trip

PROBLEMS: Forms[Crossing] = Forms(Form.of(Crossing, "pairs={pairs} boat={boat}"))
INSTRUCTIONS: Forms[Instruction] = Forms(
    Form.of(Ferry, "FERRY pairs={pairs} boat={boat}"), Form.of(Trip, "TRIP number={number} pairs={pairs} boat={boat}")
)
ACTIONS: Forms[Row] = Forms(Form.of(Row, "Row {people} to the {bank} bank", people=PEOPLE, bank=Codec(str)))
