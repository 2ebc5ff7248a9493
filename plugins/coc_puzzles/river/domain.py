"""River crossing: actors and their agents, or jealous husbands and their wives, in a boat for a few.

Actor a1 and his agent A1 are a pair.
"""

import random
from collections.abc import Collection, Iterable
from functools import cache
from itertools import chain, combinations, pairwise
from math import ceil
from typing import Literal, NamedTuple

from attrs import evolve, field, frozen, validators

from coc_core.domain import Column, Domain, HasScenes, Item, KnowsUnsolvable, Scene
from coc_core.errors import ActionFault
from coc_core.text import INTEGER, Codec, Form, Forms, list_of, list_pattern, parse_decimal, quoted
from coc_core.types import Expectation, Step


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


_PERSON = Codec(parse_person, pattern=f"[Aa]{INTEGER.pattern}")
PEOPLE = evolve(list_of(_PERSON, "person"), pattern=list_pattern(_PERSON.pattern, empty=False))
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
BANK = Codec(str, pattern=f"(?:{'|'.join(OTHER)})")
BOAT, _PAIRS = (
    Codec(parse_decimal, pattern=f"(?:{'|'.join(map(str, range(1, most + 1)))})")
    for most in (MOST_PEOPLE, max(map(len, PLANS.values())))
)

_boat = validators.and_(validators.ge(1), validators.le(MOST_PEOPLE))


@frozen
class Crossing:
    """A problem: bring that many pairs from the left bank to the right, in a boat for so many people."""

    pairs: int = field(validator=validators.and_(validators.ge(1), validators.le(MOST_PAIRS)))
    boat: int = field(validator=_boat)


@frozen
class Ferry(Crossing):
    """Bring the pairs from 1 to `pairs` over, which are on the left bank with the boat."""


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


@frozen
class River:
    """The state. Everybody is on a bank, since the boat is at one between two crossings.

    Attributes:
        problem: How many pairs there are, and how many people the boat takes.
        boat: The bank where the boat is.
        left: The people on the left bank.
    """

    problem: Crossing
    boat: Bank
    left: frozenset[Person]

    def on(self, bank: Bank) -> frozenset[Person]:
        """Return the people on a bank."""
        return self.left if bank == "left" else frozenset(pairs(1, self.problem.pairs)) - self.left


class RiverCrossing(Domain[Crossing, Instruction, Row, River], HasScenes[River], KnowsUnsolvable[Crossing]):
    """n pairs of an actor and an agent, and a boat. No actor may be with an agent unless their own is there, too.

    A boat for four or more ferries whole pairs, and one of them brings it back, so nobody is ever without their agent.
    For smaller boats there is a plan for each number of pairs that can cross.
    """

    name = "river-crossing"
    sizes = range(1, MOST_PAIRS + 1)
    problems = Forms(Form.of(Crossing, "pairs={pairs} boat={boat}"))
    instructions = Forms(
        Form.of(Ferry, "FERRY pairs={pairs} boat={boat}", boat=BOAT),
        Form.of(Trip, "TRIP number={number} pairs={pairs} boat={boat}", pairs=_PAIRS, boat=BOAT),
    )
    actions = Forms(Form.of(Row, "Row {people} to the {bank} bank", people=PEOPLE, bank=BANK))
    few_problems = True
    continuation = "chain"

    def _problem(self, n: int, rng: random.Random) -> Crossing:
        return rng.choice(list(self._every_problem(n)))

    def _every_problem(self, n: int) -> Iterable[Crossing]:
        """Yield each crossing with a boat in which all can cross."""
        problems = (Crossing(n, boat) for boat in range(1, MOST_PEOPLE + 1))
        return (problem for problem in problems if self.unsolvable(problem) is None)

    def size(self, problem: Crossing) -> int:
        return problem.pairs

    def unsolvable(self, problem: Crossing) -> str | None:
        plans = PLANS.get(problem.boat)
        if plans is None or problem.pairs <= len(plans):
            return None
        if not plans:
            return "the one person who crosses in a boat for one has to bring it back"
        return f"at most {len(plans)} pairs can cross in a boat for {problem.boat}, not {problem.pairs}"

    def start(self, problem: Crossing) -> Instruction:
        if problem.pairs <= len(PLANS.get(problem.boat, ())):
            return Trip(1, problem.pairs, problem.boat)
        return Ferry(problem.pairs, problem.boat)

    def expand(self, instruction: Instruction) -> Step[Instruction, Row]:
        match instruction:
            case Trip(number, count, boat):
                plan = PLANS[boat][count - 1]
                action = Row(plan[number - 1], "right" if number % 2 else "left")
                return Step((action,), then=(Trip(number + 1, count, boat),) if number < len(plan) else ())
            case Ferry(count, boat) if count <= pairs_in(boat):
                return Step((Row(pairs(1, count), "right"),))
            case Ferry(count, boat):
                left = count - pairs_in(boat) + 1
                out, back = Row(pairs(left, count), "right"), Row(pairs(left, left), "left")
                return Step((out, back), then=(Ferry(left, boat),))

    def initial(self, problem: Crossing) -> River:
        return River(problem, "left", frozenset(pairs(1, problem.pairs)))

    def apply(self, state: River, action: Row) -> River:
        bank, people, most = OTHER[action.bank], frozenset(action.people), state.problem.boat
        if state.boat != bank:
            raise ActionFault(f"the boat is at the {state.boat} bank already")
        if len(people) > most:
            raise ActionFault(f"the boat takes {most}, not {len(people)}")
        if missing := people - state.on(bank):
            raise ActionFault(f"{min(missing)} is not on the {bank} bank")
        after = River(state.problem, action.bank, state.left ^ people)
        for place, together in (("in the boat", people), *((f"on the {each} bank", after.on(each)) for each in OTHER)):
            if (who := conflict(together)) is not None:
                raise ActionFault(f"{who} {place}")
        return after

    def every_action(self, state: River) -> Iterable[Row]:
        there = sorted(state.on(state.boat))
        crews = chain.from_iterable(combinations(there, count) for count in range(1, state.problem.boat + 1))
        return (Row(crew, OTHER[state.boat]) for crew in crews if conflict(crew) is None)

    def is_goal(self, problem: Crossing, state: River) -> bool:
        return not state.left

    def scene(self, state: River) -> Scene:
        """Make a scene of the two banks. The boat comes first on the bank where it is."""

        def column(bank: Bank) -> Column:
            boat = [Item("boat", "boat", kind="boat")] if state.boat == bank else []
            people = [Item(str(person), str(person), kind=str(person)[0]) for person in sorted(state.on(bank))]
            return Column(f"{bank} bank", (*boat, *people))

        return Scene(tuple(map(column, OTHER)), kind="graph")

    def expect(self, problem: Crossing) -> Expectation | None:
        """Return a small boat's plan, or for h pairs at once ceil((n - h) / (h - 1)) round trips and a crossing."""
        if self.unsolvable(problem) is not None:
            return None
        if problem.boat in PLANS:
            length = len(PLANS[problem.boat][problem.pairs - 1])
            return Expectation(actions=length, steps=length)
        at_once = pairs_in(problem.boat)
        rounds = max(0, ceil((problem.pairs - at_once) / (at_once - 1)))
        return Expectation(actions=2 * rounds + 1, steps=rounds + 1)


def pairs_in(boat: int) -> int:
    """Return how many pairs fit into a boat for so many people; 1 also for one person, where it does not matter."""
    return max(1, boat // 2)
