"""A program in the core, and what is known of it before it runs."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from coc_scheme.expander import Core, Expander, Sort, Variable
from coc_scheme.prelude import prelude, program_scope
from coc_scheme.reader import Symbol, read_program

WRONG = {
    **dict.fromkeys(("add", "sub", "mul", "<", ">", "<=", ">=", "=", "aschar"), "not a number:"), "quo": "%divide",
    "rem": "%divide", "asnumber": "not a character:", "put": "not a character:", "call": "%call",
    "block": "not a length:", "car": "car: not a pair:", "cdr": "cdr: not a pair:", "setcar": "set-car!: not a pair:",
    "setcdr": "set-cdr!: not a pair:", "sort": "not a block:",
}  # fmt: skip
TELLING = {"error", "raise", "raise-continuable"}
"""Procedures that are told the line on which they are called."""

_OUTPUT = {"display", "write", "write-char", "write-string", "newline", "write-shared", "write-simple"}


@frozen
class Parts:
    """The forms of a program in the core, each with the variable that it defines, or None.

    Attributes:
        known: The variables that are procedures throughout.
    """

    each: Sequence[tuple[Variable | None, Core]]
    known: frozenset[Variable]

    @classmethod
    def of(cls, text: str) -> "Parts":
        """Expand a program; SchemeError if it is none."""
        forms, scope = read_program(text), program_scope()
        expander = Expander(scope, prelude()[0])
        parts = [(name, expander.expand(x, scope, line)) for name, x, line in expander.definitions(forms, scope)]
        if parts and parts[-1][0] is None and not _OUTPUT & _mentioned(forms):
            answer = prelude()[0].names[Symbol("%answer")]
            parts[-1] = (None, ("call", ("ref", answer), [parts[-1][1]], 0))
        return cls(parts, frozenset(_safe(parts)))


def complaint(operation: str, sort: Any) -> str:
    """Return what is wrong where an operation can't be done; empty if it always can."""
    if isinstance(sort, Sort):
        return f"not a {sort.name}"
    if operation in ("ref", "set"):
        return f"no {sort}, or no such element:"
    return f"not a {sort}:" if operation == "length" else WRONG.get(operation, "")


def _mentioned(x: Any) -> set[Any]:
    """Return the symbols in a datum."""
    if isinstance(x, list):
        return set().union(*map(_mentioned, x), _mentioned(getattr(x, "tail", None)))
    return {x} if isinstance(x, Symbol) else set()


def _safe(parts: Sequence[tuple[Variable | None, Core]]) -> set[Variable]:
    """Return the variables that are procedures throughout: no form before their definition can come to them."""
    found = {variable: x for variable, x in parts if variable is not None and x[0] == "lambda" and not variable.sets}
    for variable, x in found.items():
        variable.value = x
    seen = set[Variable]()

    def reach(x: Any) -> None:
        queue = [x]
        while queue:
            x = queue.pop()
            if isinstance(x, Variable):
                if x in found and x not in seen:
                    seen.add(x)
                    queue.append(found[x])
            elif isinstance(x, tuple | list):
                queue.extend(x)

    early, defined = set[Variable](), set[Variable]()
    for name, x in parts:
        if name in found:
            defined.add(name)
        else:
            reach(x)
            early |= seen - defined
    return {*found} - early
