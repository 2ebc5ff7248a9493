"""What each method of an interface gives, tested at every call while a check runs.

A wrong result, such as None where a `return` is missing, is so found where it arises, and not where something else
stumbles over it.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any

from coc_check.check import Nonconforming
from coc_core.arithmetic import ArithmeticOracle
from coc_core.domain import Domain
from coc_core.memories import Convention, Memory, Target
from coc_core.models import Model
from coc_core.types import Expectation, Step

Test = Callable[[Any, Any], bool]
"""Whether a method of a part may give a value."""


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


def _is(*kinds: type) -> Test:
    """Return whether a value is of one of these kinds; a bool is not an int, and a text not a sequence."""
    odd = {bool, str}.difference(kinds)
    return lambda _, value: isinstance(value, kinds) and type(value) not in odd


def _in(language: str) -> Test:
    return lambda part, value: value in getattr(part, language)


def _is_something(_: Any, value: Any) -> bool:
    return value is not None


def _is_pair(_: Any, value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and type(value[0]) is int


RESULTS: Mapping[type, Mapping[str, tuple[str, Test]]] = {
    Domain: {
        "_problem": ("a problem, a record of `problems`", _in("problems")),
        "_every_problem": ("several problems or None", _is(Iterable, type(None))),
        "size": ("a whole number", _is(int)),
        "start": ("an instruction, a record of `instructions`", _in("instructions")),
        "expand": ("a Step", _is(Step)),
        "initial": ("a state", _is_something),
        "apply": ("the state after the action", _is_something),
        "effect": ("a text or None", _is(str, type(None))),
        "every_action": ("several actions or None", _is(Iterable, type(None))),
        "neighbours": ("several states or None", _is(Iterable, type(None))),
        "is_goal": ("True or False", _is(bool)),
        "render": ("a text", _is(str)),
        "expect": ("an Expectation or None", _is(Expectation, type(None))),
    },
    Memory: {
        "read": ("an index and a window, or None", lambda _, value: value is None or _is_pair(_, value)),
        "windows": ("a sequence of texts", _is(Sequence)),
        "key": ("a level and a value", _is_pair),
    },
    Convention: {
        **dict.fromkeys(("_window", "prompt"), ("a text", _is(str))),
        "expressions": ("a sequence of expressions", _is(Sequence)),
        "registers": ("a mapping of registers", _is(Mapping)),
        "write": ("what the memory applies", _is_something),
        "compose": ("a Target", _is(Target)),
    },
    ArithmeticOracle: {"_resolve": ("a tuple of ints", _is(tuple))},
    Model: {
        **dict.fromkeys(("_complete", "_verify"), ("a list of targets", _is(Sequence))),
        "describe": ("a text", _is(str)),
    },
}
"""What each method whose results are tested may give, in words and as a test, by interface."""


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
            for interface, rules in RESULTS.items():
                for name, rule in rules.items() if issubclass(kind, interface) else ():
                    own, found = name in vars(kind), inspect.getattr_static(kind, name, None)
                    if inspect.isfunction(found) or isinstance(found, property):
                        undo.callback(*((setattr, kind, name, found) if own else (delattr, kind, name)))
                        setattr(kind, name, _tested(kind, name, found, *rule))
        yield


def _tested(kind: type, name: str, found: Any, words: str, right: Test) -> Any:
    """Return a method that does the same as `found`, and tests its result."""
    method: Any = found.fget if isinstance(found, property) else found
    where = definition(kind, name)

    @wraps(method)
    def tested(part: Any, *arguments: Any, **named: Any) -> Any:
        value = method(part, *arguments, **named)
        if not right(part, value):
            missing = "; is a `return` missing?" if value is None else ""
            raise Nonconforming(f"`{name}` returned {shown(value)}, not {words}{missing}", where=where)
        if wrong := _wrong_inside(part, value):
            raise Nonconforming(f"`{name}` {wrong}", where=where)
        return value

    return property(tested) if isinstance(found, property) else tested
