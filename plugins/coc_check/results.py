"""How a check fails; and what each method of an interface gives, tested at every call while a check runs.

A wrong result, such as None where a `return` is missing, is so found where it arises, and not where something else
stumbles over it.
"""

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from coc_core.arithmetic import ArithmeticOracle
from coc_core.domain import Domain
from coc_core.memories import Convention, Memory
from coc_core.models import DraftVerifier, Model
from coc_core.types import Step

RESULTS: Mapping[type, str] = {
    Domain: "_problem _every_problem size start expand initial apply effect every_action neighbours is_goal render"
    " expect",
    Memory: "read windows key",
    Convention: "_window prompt expressions registers write compose",
    ArithmeticOracle: "_resolve",
    Model: "_complete describe",
    DraftVerifier: "_verify",
}
"""The methods whose results are tested, by interface."""


class Nonconforming(AssertionError):
    """A part breaks a promise of its interface. The message says what was found; `example` is what it was found with.

    Checks try small examples before large ones, so the example is the smallest of those that were tried. `where` is the
    place in the author's code, as `file:line in function`, if it is known.
    """

    def __init__(self, complaint: str, example: str = "", where: str = "") -> None:
        super().__init__(complaint, example, where)
        self.complaint, self.example, self.where = complaint, example, where

    def __str__(self) -> str:
        told = f"{self.complaint}\n  with {self.example}" if self.example else self.complaint
        return f"{told}\n  at {self.where}" if self.where else told


def shown(value: Any) -> str:
    """Return what a value is, for the author of a method that gave it."""
    if value is None:
        return "None"
    return f"the class {value.__name__}" if isinstance(value, type) else f"a value of type {type(value).__name__}"


def definition(kind: type, name: str = "") -> str:
    """Return where a class, or its method of that name, is defined, as `file:line in function`; empty if unknown."""
    found: Any = getattr(kind, name, kind) if name else kind
    try:
        code = getattr(inspect.unwrap(getattr(found, "fget", found)), "__code__", None)
        if code is not None:
            return f"{code.co_filename}:{code.co_firstlineno} in {name}"
        return f"{inspect.getsourcefile(kind)}:{inspect.getsourcelines(kind)[1]} in {kind.__name__}"
    except (OSError, TypeError):  # its source is nowhere
        return ""


def _classes(hint: Any) -> list[type]:
    """Return the classes of which an annotation allows values; `object` stands for whatever is not None."""
    if isinstance(hint, UnionType):
        return [kind for each in get_args(hint) for kind in _classes(each)]
    return [object if isinstance(hint, TypeVar) or hint is Any else get_origin(hint) or hint]


def _in_words(kind: type) -> str:
    if kind is type(None):
        return "None"
    name = "value" if kind is object else kind.__name__
    return f"a{'n' * (name[0] in 'AEIOUaeiou')} {name}"


def _wrong_inside(part: Any, value: Any) -> str:
    """Return what is wrong with the contents of a step or of numbers, as the end of a sentence; empty if nothing is."""
    if isinstance(value, Step):
        for emitted in value.emits:
            if emitted not in part.actions and emitted not in part.notes:
                return f"emits {shown(emitted)}, which is a record neither of `actions` nor of `notes`"
        for instruction in (*value.then, *([] if value.last is None else [value.last])):
            if instruction not in part.instructions:
                return f"goes on with {shown(instruction)}, which is not a record of `instructions`"
    if isinstance(part, ArithmeticOracle):
        wrong = [number for number in value if type(number) is not int]
        return f"has {shown(wrong[0])} among its numbers, not an int" if wrong else ""
    return ""


@contextmanager
def results_checked(kinds: Iterable[type]) -> Iterator[None]:
    """Test every result of the methods of these classes; a wrong one raises Nonconforming."""
    with ExitStack() as undo:
        for kind in dict.fromkeys(kinds):
            for interface, names in RESULTS.items():
                for name in names.split() if issubclass(kind, interface) else ():
                    own, found = name in vars(kind), inspect.getattr_static(kind, name, None)
                    if inspect.isfunction(found) or isinstance(found, property):
                        undo.callback(*((setattr, kind, name, found) if own else (delattr, kind, name)))
                        hint = get_type_hints(getattr(interface, name))["return"]
                        setattr(kind, name, _tested(definition(kind, name), name, found, _classes(hint)))
        yield


def _tested(where: str, name: str, found: Any, kinds: list[type]) -> Any:
    """Return a method that does the same as `found`, and tests its result.

    A bool is not an int, and a text not a sequence; a list may be any sequence.
    """
    method: Any = found.fget if isinstance(found, property) else found
    allowed = tuple(Sequence if kind is list else kind for kind in kinds)
    odd = {type(None)}.difference(kinds) if object in kinds else {bool, str}.difference(kinds)

    @wraps(method)
    def tested(part: Any, *arguments: Any, **named: Any) -> Any:
        value = method(part, *arguments, **named)
        if not isinstance(value, allowed) or type(value) in odd:
            missing, words = "; is a `return` missing?" if value is None else "", " or ".join(map(_in_words, kinds))
            raise Nonconforming(f"`{name}` returned {shown(value)}, not {words}{missing}", where=where)
        if wrong := _wrong_inside(part, value):
            raise Nonconforming(f"`{name}` {wrong}", where=where)
        return value

    return property(tested) if isinstance(found, property) else tested
