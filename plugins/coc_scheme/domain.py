"""Scheme as a domain: a problem is a program, and its answer what it prints."""

import json
import random
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from attrs import evolve, frozen

from coc_core.domain import HasAnswer, ReadsText
from coc_core.errors import ActionFault, UnsupportedError
from coc_core.text import Codec, Form, Forms, quoted
from coc_programs import Call, Program, Record
from coc_scheme.host.compiler import compiled
from coc_scheme.host.evaluator import evaluated
from coc_scheme.host.prelude import parts_of
from coc_scheme.kinds import every_kind
from coc_scheme.machine import SIGNS, At, Send, run
from coc_scheme.records import Code

COMPARED = 10_000_000
"""How many calls of the reference evaluator a run is compared with."""

_PIECE = 4096  # characters that a state holds beside its pieces, which states share
_LINE = re.compile(r"^error on line \d+: ", re.MULTILINE)


@frozen
class Source:
    """A problem: the text of a program."""

    text: str


@frozen
class Printed:
    """A state: what has been printed.

    Attributes:
        pieces: What was printed earlier.
        text: What has been printed since.
        digits: Those of the next character, lowest first, in base 4.
        line: The line of an error, once it is known.
    """

    source: Source
    pieces: tuple[str, ...] = ()
    text: str = ""
    digits: tuple[int, ...] = ()
    line: int = 0

    def printed(self) -> str:
        """Return all that has been printed."""
        return "".join((*self.pieces, self.text))

    def print(self, text: str) -> "Printed":
        """Return the state after some text."""
        text = self.text + text
        if len(text) < _PIECE:
            return evolve(self, text=text, digits=())
        return evolve(self, pieces=(*self.pieces, text), text="", digits=())


@lru_cache(8)
def _program(text: str) -> Any:
    return compiled(parts_of(text))


_reference = lru_cache(8)(evaluated)


class Scheme(Program[Source, Send | At, Printed], ReadsText[Source], HasAnswer[Source, Printed]):
    """Programs in Scheme."""

    name = "scheme"
    sizes = range(1, 1001)
    problems = Forms(Form.of(Source, "Program {text}", text=Codec(json.loads, json.dumps)))
    actions = Forms(Form.of(Send, "Send {sign}."), Form.of(At, "At {code}.", code=Code.codec()))
    main = run

    def _problem(self, n: int, rng: random.Random) -> Source:
        terms = [f"({rng.choice('+-*')} {rng.randint(-99, 99)} {rng.randint(1, 99)})" for _ in range(n)]
        return Source("\n".join(f"(write {term}) (newline)" for term in terms))

    def read(self, text: str) -> Source:
        _program(text)
        return Source(text)

    def size(self, problem: Source) -> int:
        """Return how many lines it has, from 1 to 1,000."""
        return min(problem.text.count("\n") + 1, 1000)

    def begin(self, problem: Source) -> tuple[Call, Sequence[Record]]:
        try:
            found = _program(problem.text)
        except ValueError as error:
            raise UnsupportedError(f"it is no program: {error}") from None
        self._lines = found.lines
        return run(*found.arguments), found.records

    def kinds(self) -> Iterable[Call | Record]:
        return every_kind()

    def source_of(self, instruction: Any) -> str:
        """Return the line of the machine, and that of the program where there is one."""
        machine, code = super().source_of(instruction), getattr(instruction, "record", None)
        line = code and isinstance(code.reference, Code) and self._lines.get(code.reference.number)
        return f"{machine}, line {line} of the program" if line else machine

    def initial(self, problem: Source) -> Printed:
        return Printed(problem)

    def apply(self, state: Printed, action: Send | At) -> Printed:
        if isinstance(action, At):
            line = 0 if state.line else _program(state.source.text).lines.get(action.code.number, 0)
            return evolve(state.print(f" on line {line}"), line=line) if line else state
        if action.sign in SIGNS:
            return evolve(state, digits=(*state.digits, SIGNS.index(action.sign)))
        if action.sign == "fresh":
            last = state.text or "".join(state.pieces[-1:])
            return state if last[-1:] in ("", "\n") else state.print("\n")
        number = sum(digit * 4**place for place, digit in enumerate(state.digits))
        if number > 0x10FFFF:
            raise ActionFault(f"no character has the number {number:,}")
        return state.print(chr(number))

    def effect(self, state: Printed, action: Send | At) -> str | None:
        return None if self.apply(state, action) == state else self.actions.format(action)

    def is_goal(self, problem: Source, state: Printed) -> bool:
        return not self.doubt(problem, state)

    def answer(self, state: Printed) -> str:
        return state.printed()

    def added(self, before: Printed, after: Printed) -> str:
        if after.pieces is before.pieces:
            return after.text[len(before.text) :]
        return after.printed()[len(before.printed()) :]

    def doubt(self, problem: Source, state: Printed) -> str:
        right, printed = _reference(problem.text, COMPARED), _LINE.sub("error: ", state.printed())
        if right is None:
            return f"not compared: the reference evaluator stopped after {COMPARED:,} calls"
        right = _LINE.sub("error: ", right)
        if right == printed:
            return ""
        shared = zip(right, printed, strict=False)
        at = next((at for at, (one, other) in enumerate(shared) if one != other), min(len(right), len(printed)))
        wrong, instead = quoted(printed[at:], 40), quoted(right[at:], 40)
        return f"from character {at + 1:,} on, {wrong} is printed, and right is {instead}"

    def render(self, state: Printed, width: int) -> str:
        return state.printed()[-1000:] + "".join(map(str, state.digits)) or "nothing is printed yet"
