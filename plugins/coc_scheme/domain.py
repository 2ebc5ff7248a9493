"""Scheme as a domain: a problem is a program, a plan what it prints."""

import random
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from attrs import evolve, frozen

from coc_core.errors import ActionFault
from coc_core.text import Codec, Form, Forms
from coc_programs import Call, Program, Record
from coc_scheme.compiler import compiled
from coc_scheme.kinds import every_kind
from coc_scheme.machine import At, Send, run
from coc_scheme.records import Code

_SIGNS = {"zero": 0, "one": 1, "two": 2, "three": 3}
_compiled = lru_cache(8)(compiled)


@frozen
class Source:
    """A problem: the text of a program."""

    text: str


@frozen
class Output:
    """A state: what has been printed, and the digits of the next character, lowest first.

    Attributes:
        before: What was printed before, as other states have it.
        text: What was printed since.
    """

    source: Source
    before: "tuple[str, Any] | None" = None
    text: str = ""
    digits: tuple[int, ...] = ()


class Scheme(Program[Source, Send | At, Output]):
    """Programs in Scheme."""

    name = "scheme"
    sizes = range(1, 1_000_001)
    problems = Forms(Form.of(Source, "Program {text}", text=Codec(str, str)))
    actions = Forms(Form.of(Send, "Send {sign}."), Form.of(At, "At {code}.", code=Code.codec()))
    main = run

    def _problem(self, n: int, rng: random.Random) -> Source:
        return Source("(display (+ 1 2))")

    def size(self, problem: Source) -> int:
        return 1 + problem.text.count("\n")

    def begin(self, problem: Source) -> tuple[Call, Sequence[Record]]:
        found = compiled(problem.text)
        return run(*found.arguments), found.records

    def kinds(self) -> Iterable[Call | Record]:
        return every_kind()

    def initial(self, problem: Source) -> Output:
        return Output(problem)

    def apply(self, state: Output, action: Send | At) -> Output:
        if isinstance(action, At):
            return state
        if action.sign in _SIGNS:
            return evolve(state, digits=(*state.digits, _SIGNS[action.sign]))
        number = sum(digit * 4**place for place, digit in enumerate(state.digits))
        if action.sign == "fresh":
            char = "" if not state.text or state.text[-1] == "\n" else "\n"
        elif number > 0x10FFFF:
            raise ActionFault("no character has this number")
        else:
            char = chr(number)
        return evolve(state, text=state.text + char, digits=())

    def is_goal(self, problem: Source, state: Output) -> bool:
        return True
