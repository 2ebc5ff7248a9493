"""What every program begins with, `prelude.scm`; and a program in the core."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from coc_scheme.host.core import Core, Variable
from coc_scheme.host.expander import SPECIAL, Expander
from coc_scheme.host.macros import Scope
from coc_scheme.host.reader import Symbol, read_program

_MUTATORS = {"set-car!", "set-cdr!", "list-set!", "vector-set!", "vector-fill!", "vector-copy!"}
_OUTPUT = {"display", "write", "write-char", "write-string", "newline", "write-shared", "write-simple"}


Parts = Sequence[tuple[Variable | None, Core]]
"""A program in the core: its forms, each with the variable that it defines, or None."""


@cache
def prelude() -> tuple[Scope, dict[Variable, Any]]:
    """Return what names mean in the prelude, and what each of its variables is defined as: not expanded yet."""
    scope = Scope({Symbol(name): meaning for name, meaning in SPECIAL.items()})
    text = Path(__file__).with_name("prelude.scm").read_text("utf-8")
    found = Expander(scope, scope).definitions(read_program(text, -1000), scope)
    return scope, {variable: x for variable, x, _ in found if variable is not None}


def given(name: str) -> Variable:
    """Return a variable of the prelude."""
    return prelude()[0].names[name]  # type: ignore[no-any-return]


def definition(variable: Variable) -> Core | None:
    """Return what the prelude defines a variable as; None if it is none of its procedures and constants."""
    scope, definitions = prelude()
    if variable.value is None and variable in definitions:
        variable.value = Expander(scope, scope).expand(definitions[variable], scope, 0)
    return variable.value if variable in definitions else None


def parts_of(text: str) -> Parts:
    """Return the forms of a program in the core, each with the variable that it defines; SchemeError if it is none."""
    forms = read_program(text)
    mentioned = {*filter(lambda part: isinstance(part, Symbol), inside(forms))}
    names = {name: meaning for name, meaning in prelude()[0].names.items() if not name.startswith("%")}
    if not _MUTATORS & mentioned:  # nothing can hold itself
        names |= {Symbol("display"): given("%display"), Symbol("write"): given("write-simple")}
    parts = Expander(Scope({}, Scope(names)), prelude()[0]).program(forms)
    if parts and parts[-1][0] is None and not _OUTPUT & mentioned:
        answer, write = ("ref", given("%answer")), ("ref", names[Symbol("write")])
        parts[-1] = (None, ("call", answer, [write, parts[-1][1]], 0))
    return parts


def inside(x: Any) -> Iterator[Any]:
    """Yield a datum, or a form of the core, and all parts of lists and tuples in it."""
    stack = [x]
    while stack:
        x = stack.pop()
        yield x
        if isinstance(x, list | tuple):
            stack += [*x, getattr(x, "tail", None)]
