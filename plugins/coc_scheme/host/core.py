"""The forms of the core, and the variables in them.

A form of the core is a tuple: its name first, then its parts. An `op` has an operation of the machine, the sort of
block that it is for, if it is for one, and what is wrong where it can't be done. What may go wrong ends with the line
of the program, which is not above zero where there is none.

    ("const", datum)  ("ref", variable)  ("set", variable, value)  ("if", test, yes, no)  ("or", one, other)
    ("seq", forms)  ("lambda", variables, rest, body)  ("letrec", variables, values, body)
    ("call", procedure, arguments, line)  ("op", operation, sort, message, arguments, line)
"""

from collections.abc import Sequence
from typing import Any

from attrs import define, frozen

Core = tuple[Any, ...]
NOTHING: Core = ("const", None)


@frozen(eq=False)
class Sort:
    """What all blocks of a kind share, such as records of a type."""

    name: str


@define(eq=False)
class Variable:
    """A variable.

    Attributes:
        top: Whether it is one of the program or of the prelude, not of a procedure.
        sets: How often it is set.
        inline: A macro that calls of it are, if one of its rules is for them.
        value: Its definition, as a form of the core.
    """

    name: str
    top: bool = False
    sets: int = 0
    inline: Any = None
    value: Any = None


def sequence(forms: Sequence[Core]) -> Core:
    """Return forms one after another as one."""
    return ("seq", forms) if len(forms) > 1 else forms[0] if forms else NOTHING


def call(procedure: Core, given: Sequence[Core], line: int) -> Core:
    """Return a call; of a procedure that is written there and takes no arguments, its body."""
    match procedure:
        case ("lambda", [], None, body) if not given:
            return body  # type: ignore[no-any-return]
        case ("letrec", variables, values, ("ref", _) as body) if all(each[0] == "lambda" for each in values):
            return ("letrec", variables, values, ("call", body, given, line))
    return ("call", procedure, given, line)
