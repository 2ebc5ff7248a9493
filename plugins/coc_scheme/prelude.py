"""What every program begins with: special forms, operations in place, and `prelude.scm`; and a program in the core."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from attrs import frozen

from coc_scheme.expander import SPECIAL, Core, Expander, Inline, Sort, Variable, in_place
from coc_scheme.macros import Scope
from coc_scheme.reader import NOWHERE, Symbol, read_program

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
    "+": Inline("add", 2), "-": Inline("sub", 2), "*": Inline("mul", 2), "%quo": Inline("quo", 2),
    "%rem": Inline("rem", 2),
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
    found = Expander(scope, scope).definitions(read_program(text, NOWHERE), scope)
    return scope, {variable: x for variable, x, _ in found if variable is not None}


def definition(variable: Variable) -> Core | None:
    """Return what the prelude defines a variable as; None if it is none of its procedures and constants."""
    scope, definitions = prelude()
    if not is_of_prelude(variable):
        return None
    if variable.value is None and variable in definitions:
        variable.value = Expander(scope, scope).expand(definitions[variable], scope, 0)
    elif variable.value is None and (inline := variable.inline) and inline.sort is not True:
        given = [Variable(f"x{place}") for place in range(inline.arity)]
        arguments = [("ref", each) for each in given]
        variable.value = ("lambda", given, None, in_place(variable.name, inline, inline.sort, arguments, 0))
    return variable.value  # type: ignore[no-any-return]


def is_of_prelude(variable: Variable) -> bool:
    """Return whether a variable is of the prelude, not of a program."""
    return prelude()[0].names.get(variable.name) is variable


@cache
def keeps_to_itself(variable: Variable) -> bool:
    """Return whether a variable is a procedure of the prelude that calls none but those of the prelude."""
    names, queue = prelude()[0].names, [variable]
    for each in queue:
        x = definition(each) if is_of_prelude(each) else None
        if x is None or x[0] != "lambda":
            return False
        own, parts = set[Any](), [x]
        for part in parts:
            match part:
                case ("letrec", variables, values, _):
                    own |= {name for name, value in zip(variables, values, strict=True) if value[0] == "lambda"}
                case ("prim", "apply" | "throw", *_):
                    return False
            parts += part if isinstance(part, tuple | list) else ()
        called = {
            part[1][1] for part in parts if isinstance(part, tuple) and part[:1] == ("call",) and part[1][0] == "ref"
        }
        queue += called - own - {*queue, names["error"]}
    return True


def program_scope(mentioned: set[str]) -> Scope:
    """Return a scope for a program that mentions some names: the prelude, but for what begins with %."""
    names = {name: meaning for name, meaning in prelude()[0].names.items() if not name.startswith("%")}
    if not _MUTATORS & mentioned:  # nothing can hold itself
        names |= {Symbol("display"): prelude()[0].names["%display"], Symbol("write"): names["write-simple"]}
    return Scope({}, Scope(names))


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
        forms = read_program(text)
        names = _mentioned(forms)
        scope = program_scope(names)
        parts = Expander(scope, prelude()[0]).program(forms)
        if parts and parts[-1][0] is None and not _OUTPUT & names:
            answer, write = (("ref", each) for each in (prelude()[0].names["%answer"], scope.find("write")))
            parts[-1] = (None, ("call", answer, [write, parts[-1][1]], 0))
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
