"""Domains that can tell which actions make a physical move, so that plans of physical moves can be read."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from coc_core.domain.base import Domain

ActionT = TypeVar("ActionT")
StateT = TypeVar("StateT")


class ReadsMoves(ABC, Generic[ActionT, StateT]):
    """A domain whose actions are called otherwise than what they do. Domains inherit from it beside `Domain`."""

    @abstractmethod
    def actions_for(self, state: StateT, move: str) -> Sequence[ActionT]:
        """The action whose effect in `state` is `move`, after those that change nothing but must come before it.

        Raises:
            ValueError: `move` is not the text of a move.
            ActionFault: It is, but no action makes it in this state.
        """


def read_move(domain: Domain[Any, Any, Any, Any], state: Any, move: str) -> Sequence[Any]:
    """The actions of a domain that make a physical move; the errors are those of `ReadsMoves.actions_for`."""
    if isinstance(domain, ReadsMoves):
        return domain.actions_for(state, move)
    return (domain.actions.parse(move),)
