"""The plan format `json`: an object that also names the domain and the problem."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from coc_core.domain.base import Domain
from coc_core.domain.plans.format import REMEMBERED, PlanFormat
from coc_core.errors import ArtefactError
from coc_core.text import quoted

_ACTIONS = "actions"
LONGEST_PLAN = 1 << 28
"""The largest length of a plan that is read, in characters."""


class JsonPlan(PlanFormat[Any, Any, Any]):
    """An object with the texts `domain` and `problem` and the list `actions`, or such a list alone.

    Any layout is read.
    """

    separator = ","
    closing = "\n]}\n"

    def __init__(self, domain: Domain[Any, Any, Any, Any], problem: Any) -> None:
        super().__init__(domain, problem)
        self._names = {"domain": domain.name, "problem": domain.problems.format(problem)}
        heading = ", ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in self._names.items())
        self._format = lru_cache(REMEMBERED)(domain.actions.format)
        self._parse = lru_cache(REMEMBERED)(domain.actions.parse)
        self.opening = f'{{{heading}, "{_ACTIONS}": ['

    def write(self, state: Any, action: Any) -> str:
        return "\n" + json.dumps(self._format(action))

    def begins(self, line: str) -> bool:
        return line.lstrip().startswith(("{", "["))

    def entries(self, lines: Iterable[str]) -> Iterator[str]:
        parts, room = list[str](), LONGEST_PLAN
        for line in lines:
            parts.append(line)
            room -= len(line)
            if room < 0:
                raise ValueError(f"it has more than {LONGEST_PLAN:,} characters; write it as text")
        try:
            found = json.loads("".join(parts), object_pairs_hook=_unique)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        if isinstance(found, dict):
            for name in found:
                if name not in (_ACTIONS, *self._names):
                    raise ValueError(f"its key {quoted(name, 40)} is unknown")
            for name, value in self._names.items():
                if found.get(name, value) != value:
                    raise ArtefactError(f"the plan is for the {name} {quoted(str(found[name]))}, not {quoted(value)}")
            found = found.get(_ACTIONS)
        if not isinstance(found, list):
            raise ValueError(f'it is neither a list nor an object with the list "{_ACTIONS}"')
        for number, entry in enumerate(found, 1):
            if not isinstance(entry, str):
                raise ValueError(f"action {number:,} is not a text")
            yield entry

    def read(self, state: Any, entry: str) -> Sequence[Any]:
        return (self._parse(entry),)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is twice there")
    return found
