"""The problems, instructions and actions of river crossing, and their text forms."""

from itertools import pairwise
from typing import Literal

from attrs import field, frozen, validators

from coc_core.text import Codec, Form, Forms
from coc_puzzles.river.people import PEOPLE, People
from coc_puzzles.river.plans import PLANS

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
