"""What each method of an interface gives, tested at every call while a check runs.

A wrong result, such as None where a `return` is missing, is so found where it arises, and not where something else
stumbles over it.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any

from coc_core.arithmetic import ArithmeticOracle
from coc_core.domain import Domain
from coc_core.memories import Convention, Memory, Target
from coc_core.models import Model
from coc_core.types import Expectation, Step

Rule = Callable[[Any, Any], str]
"""What is wrong with a result of a part, as the end of a sentence; empty if it is right."""


class WrongResult(Exception):
    """A method gave something that it may not give; `where` is its definition, as `file:line in function`."""

    def __init__(self, message: str, where: str) -> None:
        super().__init__(message)
        self.where = where


def shown(value: Any) -> str:
    """Return what a value is, for the author of a method that gave it."""
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"a value of type {type(value).__name__}"


def definition(kind: type, name: str = "") -> str:
    """Return where a class, or its method of that name, is defined, as `file:line in function`; empty if nobody
    knows.
    """
    found: Any = getattr(kind, name, kind) if name else kind
    found = found.fget if isinstance(found, property) else found
    try:
        code = getattr(inspect.unwrap(found), "__code__", None)
        if code is not None:
            return f"{code.co_filename}:{code.co_firstlineno} in {name}"
        return f"{inspect.getsourcefile(kind)}:{inspect.getsourcelines(kind)[1]} in {kind.__name__}"
    except (OSError, TypeError):  # its source is nowhere
        return ""


def _rule(words: str, right: Callable[[Any, Any], bool]) -> Rule:
    """The result of a part is `right`; otherwise it is not what the words say."""

    def rule(part: Any, value: Any) -> str:
        missing = "; is a `return` missing?" if value is None else ""
        return "" if right(part, value) else f"returned {shown(value)}, not {words}{missing}"

    return rule


def _given(words: str, *kinds: type) -> Rule:
    """The result is one of these kinds; a bool is not an int, and a text not a sequence."""
    odd = {bool, str}.difference(kinds)
    return _rule(words, lambda _, value: isinstance(value, kinds) and type(value) not in odd)


def _something(words: str) -> Rule:
    return _rule(words, lambda _, value: value is not None)


def _record(words: str, language: str) -> Rule:
    return _rule(f"{words}, a record of `{language}`", lambda part, value: value in getattr(part, language))


def _step(domain: Any, value: Any) -> str:
    if not isinstance(value, Step):
        return _given("a Step", Step)(domain, value)
    for emitted in value.emits:
        if emitted not in domain.actions and emitted not in domain.notes:
            return f"emits {shown(emitted)}, which is a record neither of `actions` nor of `notes`"
    for instruction in (*value.then, *([] if value.last is None else [value.last])):
        if instruction not in domain.instructions:
            return f"goes on with {shown(instruction)}, which is not a record of `instructions`"
    return ""


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and type(value[0]) is int


def _numbers(_: Any, value: Any) -> str:
    if not isinstance(value, tuple):
        return _given("a tuple of ints", tuple)(_, value)
    wrong = [number for number in value if type(number) is not int]
    return f"has {shown(wrong[0])} among its numbers, not an int" if wrong else ""


_TEXT = _given("a text", str)
_YES_OR_NO = _given("True or False", bool)

RESULTS: Mapping[type, Mapping[str, Rule]] = {
    Domain: {
        "_problem": _record("a problem", "problems"),
        "_every_problem": _given("several problems or None", Iterable, type(None)),
        "size": _given("a whole number", int),
        "start": _record("an instruction", "instructions"),
        "expand": _step,
        "initial": _something("a state"),
        "apply": _something("the state after the action"),
        "effect": _given("a text or None", str, type(None)),
        "every_action": _given("several actions or None", Iterable, type(None)),
        "neighbours": _given("several states or None", Iterable, type(None)),
        "is_goal": _YES_OR_NO,
        "render": _TEXT,
        "expect": _given("an Expectation or None", Expectation, type(None)),
    },
    Memory: {
        "read": _rule("an index and a window, or None", lambda _, value: value is None or _is_pair(value)),
        "windows": _given("a sequence of texts", Sequence),
        "key": _rule("a level and a value", lambda _, value: _is_pair(value)),
    },
    Convention: {
        "_window": _TEXT,
        "prompt": _TEXT,
        "expressions": _given("a sequence of expressions", Sequence),
        "registers": _given("a mapping of registers", Mapping),
        "write": _something("what the memory applies"),
        "compose": _given("a Target", Target),
    },
    ArithmeticOracle: {"_resolve": _numbers},
    Model: {**dict.fromkeys(("_complete", "_verify"), _given("a list of targets", Sequence)), "describe": _TEXT},
}
"""The rule for each method whose results are tested, by interface."""


@contextmanager
def results_checked(kinds: Iterable[type]) -> Iterator[None]:
    """Test every result of the methods of these classes; a wrong one raises WrongResult."""
    with ExitStack() as undo:
        for kind in dict.fromkeys(kinds):
            for interface, rules in RESULTS.items():
                for name, rule in rules.items() if issubclass(kind, interface) else ():
                    own, found = name in vars(kind), inspect.getattr_static(kind, name, None)
                    if inspect.isfunction(found) or isinstance(found, property):
                        undo.callback(*((setattr, kind, name, found) if own else (delattr, kind, name)))
                        setattr(kind, name, _tested(kind, name, found, rule))
        yield


def _tested(kind: type, name: str, found: Any, rule: Rule) -> Any:
    """Return a method that does the same as `found`, and tests its result."""
    method: Any = found.fget if isinstance(found, property) else found
    where = definition(kind, name)

    @wraps(method)
    def tested(part: Any, *arguments: Any, **named: Any) -> Any:
        value = method(part, *arguments, **named)
        wrong = rule(part, value)
        if wrong:
            raise WrongResult(f"`{name}` {wrong}", where)
        return value

    return property(tested) if isinstance(found, property) else tested
