"""Operators: what an action needs and what it sets, as in the planning formalism SAS+; and how they compose.

A state is an assignment of values to variables. An operator is a pair of partial assignments: it is applicable in the
states that agree with what it needs, and what it sets replaces the values there. A sequence of operators has the same
form, so a plan of any length can be summed up as one operator, a macro-operator, and checked without being run.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeGuard, TypeVar

from attrs import Factory, frozen

ActionT = TypeVar("ActionT")
StateT = TypeVar("StateT")

Assignment = Mapping[Any, Any]
"""Values of some of the variables of a state. Variables and values are hashable."""


@frozen
class Operator:
    """What an action, or a sequence of actions, needs and sets: partial assignments to the variables of a state."""

    needs: Assignment = Factory(dict)
    sets: Assignment = Factory(dict)

    def applicable(self, variables: Assignment) -> bool:
        """Whether a state with these variables has all that the operator needs."""
        missing = object()
        return all(variables.get(variable, missing) == value for variable, value in self.needs.items())


class HasOperators(ABC, Generic[ActionT, StateT]):
    """A domain whose actions are operators, whatever the state. Domains inherit from it beside `Domain`."""

    @abstractmethod
    def variables(self, state: StateT) -> Assignment:
        """The variables of a state, with their values. They determine the state."""

    @abstractmethod
    def operator(self, action: ActionT) -> Operator | None:
        """What an action needs and sets. It is legal exactly where it is applicable. None if it is legal nowhere."""

    @abstractmethod
    def assign(self, state: StateT, sets: Assignment) -> StateT:
        """The state with these values in place of its own. They are those that an applicable operator sets."""


def has_operators(domain: object) -> TypeGuard[HasOperators[Any, Any]]:
    """Whether a domain has operators that speak for its own actions.

    A subclass that replaces `apply` and inherits the operators has none: they say what the class above it does.
    """
    if not isinstance(domain, HasOperators):
        return False
    classes = type(domain).__mro__
    states, applies = (
        next((depth for depth, one in enumerate(classes) if method in vars(one)), len(classes))
        for method in ("operator", "apply")
    )
    return states <= applies


def compose(operators: Iterable[Operator]) -> Operator | None:
    """The operator of a sequence of operators; None if no state lets all of them be applied, one after the other.

    It needs what each of them needs, unless one before sets that; if that one sets it to something else, or two of them
    need different values, there is no such state. It sets what any of them sets, the last one prevailing.
    """
    needs: dict[Any, Any] = {}
    sets: dict[Any, Any] = {}
    for operator in operators:
        for variable, value in operator.needs.items():
            if variable in sets:
                if sets[variable] != value:
                    return None
            elif needs.setdefault(variable, value) != value:
                return None
        sets.update(operator.sets)
    return Operator(needs, sets)
