"""What every program begins with, `prelude.scm`; and a program in the core."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_scheme.host.core import Core, Variable
from coc_scheme.host.expander import SPECIAL, Expander
from coc_scheme.host.macros import Scope
from coc_scheme.host.reader import Symbol, read_program

_MUTATORS = {"set-car!", "set-cdr!", "list-set!", "vector-set!", "vector-fill!", "vector-copy!"}
_OUTPUT = {"display", "write", "write-char", "write-string", "newline", "write-shared", "write-simple"}


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
        forms = read_program(text)
        mentioned = {*filter(lambda part: isinstance(part, Symbol), _parts(forms))}
        names = {name: meaning for name, meaning in prelude()[0].names.items() if not name.startswith("%")}
        if not _MUTATORS & mentioned:  # nothing can hold itself
            names |= {Symbol("display"): given("%display"), Symbol("write"): given("write-simple")}
        parts = Expander(Scope({}, Scope(names)), prelude()[0]).program(forms)
        if parts and parts[-1][0] is None and not _OUTPUT & mentioned:
            answer, write = ("ref", given("%answer")), ("ref", names[Symbol("write")])
            parts[-1] = (None, ("call", answer, [write, parts[-1][1]], 0))
        return cls(parts, frozenset(_known(parts)))


def _parts(*queue: Any) -> Iterator[Any]:
    """Yield data, and all parts of lists and tuples in it."""
    stack = [*queue]
    while stack:
        x = stack.pop()
        yield x
        if isinstance(x, list | tuple):
            stack += [*x, getattr(x, "tail", None)]


def _known(parts: Sequence[tuple[Variable | None, Core]]) -> set[Variable]:
    """Return the variables that are procedures throughout: no form before their definition can come to them."""
    found = {variable: x for variable, x in parts if variable is not None and x[0] == "lambda" and not variable.sets}
    reached, defined, early = set[Any](), set[Variable](), set[Variable]()
    for variable, x in parts:
        if variable in found:
            defined.add(variable)
            variable.value = x
        queue = [] if variable in found else [x]
        for each in queue:
            new = {part for part in _parts(each) if isinstance(part, Variable) and part in found} - reached
            reached |= new
            queue += [found[part] for part in new]
        early |= reached - defined
    return {*found} - early
