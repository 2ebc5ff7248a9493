"""The state: who is on the left bank, and where the boat is."""

from attrs import frozen

from coc_river.people import Person, pairs
from coc_river.records import Bank, Crossing


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
