"""Domains that can tell which actions make a physical move, so that plans of physical moves can be read."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

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
