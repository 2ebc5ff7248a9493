"""The forms of the core, and the variables in them."""

from collections.abc import Sequence
from typing import Any

from attrs import Factory, define, frozen

Core = tuple[Any, ...]
NOTHING: Core = ("const", None)


@define(eq=False)
class Sort:
    """What all blocks of a kind share, such as strings, or records of a type."""

    name: str


@frozen
class Inline:
    """What a call becomes in place: an operation of the machine.

    Attributes:
        arity: How many arguments it takes.
        test: Whether it decides, and has no other value.
        sort: The sort of block that it is for; True if the first operand says it.
    """

    operation: str
    arity: int
    test: bool = False
    sort: Any = None


@define(eq=False)
class Variable:
    """A variable, and how the program uses it.

    Attributes:
        top: Whether it is one of the program or of the prelude, not of a procedure.
        sets: How often it is set.
        values: How often it is used other than in a call.
        calls: The numbers of arguments with which it is called.
        inline: What a call of it becomes in place, if it is of the prelude.
        value: Its definition, as a form of the core.
    """

    name: str
    top: bool = False
    inline: Inline | None = None
    sets: int = 0
    values: int = 0
    calls: set[int] = Factory(set)
    value: Any = None


def sequence(forms: Sequence[Core]) -> Core:
    """Return forms one after another as one."""
    return ("seq", forms) if len(forms) > 1 else forms[0] if forms else NOTHING


def call(procedure: Core, given: Sequence[Core], line: int) -> Core:
    """Return a call; of a procedure that is written there and takes no arguments, its body."""
    match procedure:
        case ("ref", variable):
            variable.values -= 1
            variable.calls.add(len(given))
        case ("lambda", [], None, body) if not given:
            return body  # type: ignore[no-any-return]
        case ("letrec", variables, values, ("ref", _) as body) if all(each[0] == "lambda" for each in values):
            return ("letrec", variables, values, call(body, given, line))
    return ("call", procedure, given, line)


def in_place(name: str, inline: Inline, sort: Any, given: Sequence[Core], line: int) -> Core | None:
    """Return a call of a name of the prelude as an operation; None for a number of arguments that has none."""
    kind, operation = "test" if inline.test else "prim", inline.operation
    if len(given) == inline.arity:
        if operation == "cxr":  # from `cadr` on
            for way in reversed(name[1:-1]):
                given = [(kind, f"c{way}r", None, given, line)]
            return given[0]
        return (kind, operation, sort, given, line)
    if operation in ("add", "mul") and len(given) < 2:
        given = [*given, ("const", 0 if operation == "add" else 1)]
        return given[0] if len(given) == 1 else (kind, operation, None, given, line)
    if operation == "sub" and len(given) == 1:
        return (kind, operation, None, [("const", 0), *given], line)
    if operation in ("add", "sub", "mul") and given:
        first, *others = given
        for each in others:
            first = (kind, operation, None, [first, each], line)
        return first
    return None
