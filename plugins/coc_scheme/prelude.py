"""The names that every program begins with: special forms, operations in place, and what `prelude.scm` defines."""

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from coc_scheme.expander import SPECIAL, Core, Expander, Inline, Variable, in_place
from coc_scheme.macros import Scope
from coc_scheme.reader import Symbol, read_program

_MUTATORS = {"set-car!", "set-cdr!", "list-set!", "vector-set!", "vector-fill!", "vector-copy!"}
_SORTS = ("string", "symbol", "vector", "bytevector")
INLINE = {
    **{f"c{''.join(ways)}r": Inline("cxr", 1) for count in range(1, 5) for ways in product("ad", repeat=count)},
    "cons": Inline("cons", 2), "set-car!": Inline("setcar", 2), "set-cdr!": Inline("setcdr", 2),
    "char->integer": Inline("asnumber", 1), "%integer->char": Inline("aschar", 1), "%tenth": Inline("tenth", 1),
    "%put": Inline("put", 1), "%fresh": Inline("fresh", 0), "%trail": Inline("trail", 0), "%exit": Inline("halt", 0),
    "%capture": Inline("capture", 0), "%throw": Inline("throw", 2), "%sort": Inline("sort", 1),
    "%apply": Inline("apply", 2),
    "%block": Inline("block", 2, sort=True), "%length": Inline("length", 1, sort=True),
    "%ref": Inline("ref", 2, sort=True), "%set": Inline("set", 3, sort=True), "%is": Inline("ifsort", 1, True, True),
    "+": Inline("add", 2), "-": Inline("sub", 2), "*": Inline("mul", 2), "%quo": Inline("quo", 2), "%rem": Inline("rem", 2),
    **{f"{way}{name}": Inline(name, 2, True) for name in ("<", ">", "<=", ">=", "=") for way in ("", "%")},
    **{f"{name}?": Inline(f"if{name}", 1, True) for name in ("pair", "number", "char", "procedure")},
    **{f"{name}?": Inline("ifsort", 1, True, name) for name in _SORTS},
    **{f"{name}-length": Inline("length", 1, sort=name) for name in _SORTS if name != "symbol"},
    "vector-ref": Inline("ref", 2, sort="vector"), "string-ref": Inline("ref", 2, sort="string"),
    "bytevector-u8-ref": Inline("ref", 2, sort="bytevector"),
    "null?": Inline("null", 1, True), "not": Inline("not", 1, True), "eq?": Inline("ifeqv", 2, True),
    "eqv?": Inline("ifeqv", 2, True),
}  # fmt: skip
"""What a call becomes in place: an operation of the machine. `vector-set!` and others have a procedure besides."""


@cache
def prelude() -> tuple[Scope, dict[Variable, Any]]:
    """Return what names mean in the prelude, and what each of its variables is defined as: not expanded yet."""
    names: dict[Any, Any] = {Symbol(name): meaning for name, meaning in SPECIAL.items()}
    names |= {Symbol(name): Variable(name, top=True, inline=inline) for name, inline in INLINE.items()}
    scope = Scope(names)
    text = Path(__file__).with_name("prelude.scm").read_text("utf-8")
    found = Expander(scope, scope).definitions(read_program(text), scope)
    return scope, {variable: x for variable, x, _ in found if variable is not None}


def definition(variable: Variable) -> Core | None:
    """Return what the prelude defines a variable as; None if it is none of its procedures and constants."""
    scope, definitions = prelude()
    if scope.names.get(variable.name) is not variable:
        return None
    if variable.value is None and variable in definitions:
        variable.value = Expander(scope, scope).expand(definitions[variable], scope, 0)
    elif variable.value is None and (inline := variable.inline) and inline.sort is not True:
        given = [Variable(f"x{place}") for place in range(inline.arity)]
        arguments = [("ref", each) for each in given]
        variable.value = ("lambda", given, None, in_place(variable.name, inline, inline.sort, arguments, 0))
    return variable.value  # type: ignore[no-any-return]


def program_scope(mentioned: set[str]) -> Scope:
    """Return a scope for a program that mentions some names. It knows the prelude but for the names that begin with %."""
    names = {name: meaning for name, meaning in prelude()[0].names.items() if not name.startswith("%")}
    if not _MUTATORS & mentioned:  # nothing can hold itself
        names |= {Symbol("display"): prelude()[0].names["%display"], Symbol("write"): names["write-simple"]}
    return Scope({}, Scope(names))
