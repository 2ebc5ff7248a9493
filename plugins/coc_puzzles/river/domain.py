"""River crossing: actors and their agents, or jealous husbands and their wives, in a boat for a few."""

import random
from collections.abc import Iterable
from itertools import chain, combinations
from math import ceil

from attrs import frozen

from coc_core.domain import Column, Domain, HasScenes, Item, KnowsUnsolvable, Scene
from coc_core.errors import ActionFault
from coc_core.types import Expectation, Step
from coc_puzzles.river.records import (
    ACTIONS,
    INSTRUCTIONS,
    MOST_PAIRS,
    MOST_PEOPLE,
    OTHER,
    PLANS,
    PROBLEMS,
    Bank,
    Crossing,
    Ferry,
    Instruction,
    Person,
    Row,
    Trip,
    conflict,
    pairs,
)

BOAT = r"\__/"
WIDEST = 16  # characters of water


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
    problems = PROBLEMS
    instructions = INSTRUCTIONS
    actions = ACTIONS
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

    def render(self, state: River, width: int) -> str:
        """Draw a row for each pair, its people on their banks, and the boat. In little room, the river is narrow."""
        cell = len(f"A{state.problem.pairs}")
        water = max(len(BOAT), min(WIDEST, width - 2 * (2 * cell + 2)))
        rows = []
        for pair in range(1, state.problem.pairs + 1):
            left, right = (
                " ".join((str(person) if person in state.on(bank) else "").ljust(cell) for person in pairs(pair, pair))
                for bank in OTHER
            )
            rows.append(f"{left} {'~' * water} {right}")
        afloat = BOAT.ljust(water, "~") if state.boat == "left" else BOAT.rjust(water, "~")
        return "\n".join(row.rstrip() for row in (*rows, f"{' ' * (2 * cell + 2)}{afloat}"))

    def scene(self, state: River) -> Scene:
        """Make a scene of the two banks. The boat is at the bottom of the bank where it is."""

        def column(bank: Bank) -> Column:
            boat = [Item("boat", "boat")] if state.boat == bank else []
            people = [Item(str(person), str(person), 0.5) for person in sorted(state.on(bank), reverse=True)]
            return Column(f"{bank} bank", (*boat, *people))

        return Scene(tuple(map(column, OTHER)))

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
