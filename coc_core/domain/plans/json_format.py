"""The plan format `json`: an object that also names the domain and the problem."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from coc_core.domain.base import Domain
from coc_core.domain.plans.format import REMEMBERED, PlanFormat
from coc_core.errors import ArtefactError
from coc_core.text import quoted

_ACTIONS = "actions"
_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")


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
        scan = _Scan(lines)
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
        return (self._parse(entry),)


class _Scan:
    """A JSON text, read from the beginning to the end; of its lines, one is in memory at a time.

    No text of JSON goes over the end of a line, but a long line comes in parts.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._text = ""
        self._place = 0
        self._before = 0  # characters before `_text`

    @property
    def rest(self) -> str:
        """What comes next, but blanks; empty at the end."""
        while True:
            found = _BLANK.match(self._text, self._place)
            assert found is not None  # blanks may be missing
            self._place = found.end()
            if self._place < len(self._text) or not self._more():
                return self._text[self._place : self._place + 1]

    def found(self, mark: str) -> bool:
        """Whether `mark` comes next; it is passed."""
        is_next = self.rest == mark
        self._place += is_next
        return is_next

    def expect(self, mark: str) -> None:
        """Pass `mark`; ValueError if something else comes."""
        if not self.found(mark):
            raise self._missing(repr(mark))

    def text(self) -> str:
        """Pass a text; ValueError if something else comes."""
        if self.rest != '"':
            raise self._missing("a text")
        while True:
            try:
                found, self._place = _DECODER.raw_decode(self._text, self._place)
            except ValueError:
                if self._text.endswith("\n") or not self._more():
                    raise ValueError(f"the text at character {self._at:,} is not complete, or not as in JSON") from None
            else:
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

    def _more(self) -> bool:
        """Take the next line, or part of one, behind what is left of this one; False if there is none."""
        line = next(self._lines, "")
        self._before += self._place
        self._text, self._place = self._text[self._place :] + line, 0
        return bool(line)

    @property
    def _at(self) -> int:
        """The number of the next character, counted from 1."""
        return self._before + self._place + 1

    def _missing(self, what: str) -> ValueError:
        return ValueError(f"{what} is missing at character {self._at:,}")
