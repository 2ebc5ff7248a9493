"""The state: who is on the left bank, and where the boat is. The rules of a crossing."""

from collections.abc import Iterator
from itertools import combinations

from attrs import frozen

from coc_core.errors import ActionFault
from coc_river.people import Person, conflict, pairs
from coc_river.records import OTHER, Bank, Crossing, Row


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
        """The people on a bank."""
        return self.left if bank == "left" else frozenset(pairs(1, self.problem.pairs)) - self.left


def initial(problem: Crossing) -> River:
    """Everybody is on the left bank, with the boat."""
    return River(problem, "left", frozenset(pairs(1, problem.pairs)))


def row(state: River, action: Row) -> River:
    """Return the state after a crossing.

    Raises:
        ActionFault: The boat is elsewhere or too small, somebody is not there, or an actor's rule is broken.
    """
    bank, people, most = OTHER[action.bank], frozenset(action.people), state.problem.boat
    if state.boat != bank:
        raise ActionFault(f"the boat is at the {state.boat} bank already")
    if len(people) > most:
        raise ActionFault(f"the boat takes {most}, not {len(people)}")
    if missing := people - state.on(bank):
        raise ActionFault(f"{min(missing)} is not on the {bank} bank")
    after = _rowed(state, people)
    for place, together in (("in the boat", people), *((f"on the {each} bank", after.on(each)) for each in OTHER)):
        if (who := conflict(together)) is not None:
            raise ActionFault(f"{who} {place}")
    return after


def neighbours(state: River) -> Iterator[River]:
    """Yield the state after each legal crossing."""
    there = state.on(state.boat)
    for count in range(1, state.problem.boat + 1):
        for people in combinations(sorted(there), count):
            if conflict(people) is None:
                after = _rowed(state, frozenset(people))
                if not any(conflict(after.on(bank)) for bank in OTHER):
                    yield after


def _rowed(state: River, people: frozenset[Person]) -> River:
    """The state after these people have crossed, whether they may or not."""
    return River(state.problem, OTHER[state.boat], state.left ^ people)
