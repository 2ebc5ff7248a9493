"""The plan format `json`: an object that also names the domain and the problem."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from coc_core.domain.base import Domain
from coc_core.domain.plans.format import PlanFormat
from coc_core.errors import ArtefactError
from coc_core.text import quoted

_ACTIONS = "actions"
_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")


class JsonPlan(PlanFormat[Any, Any, Any]):
    """An object with the texts `domain` and `problem` and the list `actions`, or such a list alone.

    It is read as one text, but its actions are taken from it one by one.
    """

    separator = ","
    closing = "\n]}\n"

    def __init__(self, domain: Domain[Any, Any, Any, Any], problem: Any) -> None:
        super().__init__(domain, problem)
        self._names = {"domain": domain.name, "problem": domain.problems.format(problem)}
        heading = ", ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in self._names.items())
        self.opening = f'{{{heading}, "{_ACTIONS}": ['

    def write(self, state: Any, action: Any) -> str:
        return "\n" + json.dumps(self.domain.actions.format(action))

    def begins(self, line: str) -> bool:
        return line.lstrip().startswith(("{", "["))

    def entries(self, lines: Iterable[str]) -> Iterator[str]:
        scan = _Scan("".join(lines))
        if scan.found("["):
            yield from scan.texts("]")
        else:
            scan.expect("{")
            yield from self._object(scan)
        if scan.rest:
            raise ValueError("there is more after its end")

    def _object(self, scan: "_Scan") -> Iterator[str]:
        missing = {_ACTIONS, *self._names}
        for name in scan.texts("}"):
            if name not in missing:
                raise ValueError(f"its key {quoted(name, 40)} is twice there, or unknown")
            missing.remove(name)
            scan.expect(":")
            if name == _ACTIONS:
                scan.expect("[")
                yield from scan.texts("]")
            elif (found := scan.text()) != self._names[name]:
                raise ArtefactError(f"the plan is for the {name} {quoted(found)}, not {quoted(self._names[name])}")
        if _ACTIONS in missing:
            raise ValueError(f'it has no "{_ACTIONS}"')

    def read(self, state: Any, entry: str) -> Sequence[Any]:
        return (self.domain.actions.parse(entry),)


class _Scan:
    """A JSON text, read from the beginning to the end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0

    @property
    def rest(self) -> str:
        """What comes next, but blanks; empty at the end."""
        found = _BLANK.match(self._text, self._place)
        assert found is not None  # blanks may be missing
        self._place = found.end()
        return self._text[self._place : self._place + 1]

    def found(self, mark: str) -> bool:
        """Whether `mark` comes next; it is passed."""
        is_next = self.rest == mark
        self._place += is_next
        return is_next

    def expect(self, mark: str) -> None:
        """Pass `mark`; ValueError if something else comes."""
        if not self.found(mark):
            raise ValueError(f"{mark!r} is missing at character {self._place + 1:,}")

    def text(self) -> str:
        """Pass a text; ValueError if something else comes."""
        if self.rest != '"':
            raise ValueError(f"a text is missing at character {self._place + 1:,}")
        found, self._place = _DECODER.raw_decode(self._text, self._place)
        return str(found)

    def texts(self, end: str) -> Iterator[str]:
        """Pass texts with commas between them up to the mark `end`; what follows one may be passed in between."""
        if self.found(end):
            return
        while True:
            yield self.text()
            if self.found(end):
                return
            self.expect(",")
