"""The plan formats `text` and `physical`: an action, or a physical move, on each line."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from coc_core.domain.base import Domain
from coc_core.domain.plans.format import REMEMBERED, LineFormat
from coc_core.domain.plans.moves import read_move


class TextPlan(LineFormat[Any, Any, Any]):
    """The texts of the actions, as the model writes them."""

    def __init__(self, domain: Domain[Any, Any, Any, Any], problem: Any) -> None:
        super().__init__(domain, problem)
        self._format = lru_cache(REMEMBERED)(domain.actions.format)
        self._parse = lru_cache(REMEMBERED)(domain.actions.parse)

    def _line(self, state: Any, action: Any) -> str:
        return self._format(action)

    def read(self, state: Any, entry: str) -> Sequence[Any]:
        return (self._parse(entry),)


class PhysicalPlan(LineFormat[Any, Any, Any]):
    """What the actions do, in words that name all places. Actions that change nothing are left out."""

    def _line(self, state: Any, action: Any) -> str:
        return self.domain.effect(state, action) or ""

    def read(self, state: Any, entry: str) -> Sequence[Any]:
        return read_move(self.domain, state, entry)
