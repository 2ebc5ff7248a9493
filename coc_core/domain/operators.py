"""Operators: what an action needs and what it sets, as in the planning formalism SAS+; and how they compose.

A state is an assignment of values to variables. An operator is a pair of partial assignments: it is applicable in the
states that agree with what it needs, and what it sets replaces the values there. A sequence of operators has the same
form, so a plan of any length can be summed up as one operator, a macro-operator, and checked without being run.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from attrs import Factory, frozen

from coc_core.domain.base import ActionT, Domain, InstructionT, ProblemT, StateT
from coc_core.errors import ActionFault

Assignment = Mapping[Any, Any]
"""Values of some of the variables of a state. Variables and values are hashable."""

_REMEMBERED = 1 << 12  # actions


@frozen
class Operator:
    """What an action, or a sequence of actions, needs and sets: partial assignments to the variables of a state."""

    needs: Assignment = Factory(dict)
    sets: Assignment = Factory(dict)

    def applicable(self, variables: Assignment) -> bool:
        """Return whether a state with these variables has all that the operator needs."""
        try:
            return all(variables[variable] == value for variable, value in self.needs.items())
        except KeyError:  # the state has no such variable
            return False


class HasOperators(Domain[ProblemT, InstructionT, ActionT, StateT]):
    """A domain whose actions, which are hashable, are operators in any state: stated once, `apply` follows."""

    @abstractmethod
    def variables(self, state: StateT) -> Assignment:
        """Return the variables of a state, with their values. They determine the state."""

    @abstractmethod
    def operator(self, action: ActionT) -> Operator | None:
        """Return what an action needs and sets: it is legal exactly where this is applicable. None: legal nowhere."""

    @abstractmethod
    def assign(self, state: StateT, sets: Assignment) -> StateT:
        """Return the state with these values in place of its own. They are those that an applicable operator sets."""

    def why_illegal(self, state: StateT, action: ActionT) -> str:
        """Return why an action that is not applicable is illegal, in one line of printable ASCII."""
        return f"not now: {self.actions.format(action)}"

    def apply(self, state: StateT, action: ActionT) -> StateT:
        """Return the state with what the action sets; ActionFault unless it has what the action needs."""
        take = self._known(action)
        after = None if take is None else take(state)
        if after is None:
            raise ActionFault(self.why_illegal(state, action))
        return after

    def taking(self, operator: Operator) -> Callable[[StateT], StateT | None]:
        """Return what takes a state to the one after an operator, or to None where it is not applicable.

        A domain may define it, for speed, where a state can be read faster than by its variables.
        """
        return lambda state: self.assign(state, operator.sets) if operator.applicable(self.variables(state)) else None

    @cached_property
    def _known(self) -> Callable[[ActionT], Callable[[StateT], StateT | None] | None]:
        """What the last actions do, which is the same in any state."""

        def known(action: ActionT) -> Callable[[StateT], StateT | None] | None:
            operator = self.operator(action)
            return None if operator is None else self.taking(operator)

        return lru_cache(_REMEMBERED)(known)


def compose(operators: Iterable[Operator]) -> Operator | None:
    """Return the operator of a sequence of operators; None if no state lets all be applied, one after the other.

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
