"""Values of programs, as texts write them, and the expressions that a certificate carries."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from certificate.strict import Refused, fields, require

LARGEST = 10**18  # number
WORD, NAME = re.compile("[A-Za-z_]+"), re.compile("([A-Za-z]+)([1-9][0-9]{0,17})")
IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]*")
LIKE_NAME = re.compile("(?<![A-Za-z0-9])([A-Za-z]+)[0-9]")
ANY = "any"  # before the number of a reference to a record of any class
WORDS = {None: "-", True: "yes", False: "no"}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
ORDER: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
}


class Fault(Exception):
    """The program goes wrong in a step, so that no run of it has one like that."""


@dataclass(frozen=True, eq=False)
class Reference:
    """A name of a record in a prompt: the letters of its class, or ANY, and a number, which is 0 if it is new."""

    letters: str
    number: int


def text(value: Any) -> str:
    """Return how texts write a value."""
    if isinstance(value, Reference):
        return f"{value.letters}{value.number or '+1'}"
    return WORDS[value] if value is None or type(value) is bool else str(value)


def plain(data: Any) -> Any:
    """Return a value that is no reference."""
    word = type(data) is str and WORD.fullmatch(data) and data not in ("yes", "no")
    number = type(data) is int and abs(data) <= LARGEST
    require(bool(word or number or data is None or type(data) is bool), f"{data!r:.60} is no value")
    return data


def value_of(written: str) -> Any:
    """Return the value that a text is for."""
    found = NAME.fullmatch(written)
    if found:
        return Reference(found[1], int(found[2]))
    words = {word: value for value, word in WORDS.items()}
    return words[written] if written in words else plain(int(written) if written[-1:].isdigit() else written)


class Kinds:
    """The values that a variable, a field or a result can have."""

    def __init__(self, data: Any, letters: Any) -> None:
        fields(data, "a kind", {"words": list, "records": list, "numbers": list})
        numbers, texts = data["numbers"], [*data["words"], *data["records"]]
        require(len(numbers) in (0, 2) and all(type(each) is int for each in numbers), "a kind has no such numbers")
        known = all(type(each) is str for each in texts) and {*data["records"]} <= {*letters, ANY}
        require(known, "a kind of no class")
        self.words, self.letters = {*data["words"]}, {*data["records"]}
        self.numbers = range(numbers[0], numbers[1] + 1) if numbers else range(0)

    def accepts(self, value: Any) -> bool:
        """Return whether a value is one of these."""
        if isinstance(value, Reference):
            return value.letters in self.letters
        return value in self.numbers if type(value) is int else text(value) in self.words

    def taken(self, value: Any) -> Any:
        """Return a value as a text of these kinds has it."""
        return Reference(ANY, value.number) if isinstance(value, Reference) and self.letters == {ANY} else value


def kinds_by_name(data: Any, letters: Any) -> dict[str, Kinds]:
    """Return the kinds of some variables or fields. Their names can't be mistaken for anything else in a text."""
    require(type(data) is dict, f"{data!r:.60} are no kinds by name")
    for name in data:
        check_name(name, letters, most=2)
    return {name: Kinds(each, letters) for name, each in data.items()}


def check_name(name: str, letters: Any, most: int = 1) -> None:
    """Refuse what is no name of a variable, a field, or, with one part, a procedure."""
    parts, like = name.split("."), [found[1] for found in LIKE_NAME.finditer(name)]
    known = len(parts) <= most and all(map(IDENTIFIER.fullmatch, parts)) and not {*like} & {*letters, ANY}
    require(known, f"{name!r:.60} is no name of a variable")


@dataclass
class Scope:
    """The variables of a step, and the numbers of the names that it has found to be different."""

    variables: dict[str, Any]
    compared: list[tuple[int, int]] = field(default_factory=list)

    def equal(self, one: Any, other: Any) -> bool:
        """Return whether two values are equal."""
        if not isinstance(one, Reference) or not isinstance(other, Reference):
            return bool(one == other)
        if one.number != other.number and one.number and other.number:
            self.compared.append((one.number, other.number))
        return one.number == other.number and (one.letters == other.letters or ANY in (one.letters, other.letters))


Value = Callable[[Scope], Any]


def expression(data: Any) -> Value:
    """Return what computes an expression."""
    match data:
        case ["variable", str(name)]:
            return lambda scope: variable(scope.variables, name)
        case ["value", value]:
            constant = plain(value)
            return lambda scope: constant
        case ["and" | "or" as name, _, _, *_]:
            parts, until = all_of(data[1:]), name == "or"
            return lambda scope: _first(parts, scope, until)
        case ["not", one]:
            part = expression(one)
            return lambda scope: not part(scope)
        case ["if", test, one, other]:
            test, one, other = all_of([test, one, other])
            return lambda scope: (one if test(scope) else other)(scope)
        case ["compare", one, _, *_]:
            left, rest = expression(one), [_comparison(each) for each in data[2:]]
            return lambda scope: _compare(left, rest, scope)
        case [str(name), one, other] if name in ARITHMETIC:
            one, other = all_of([one, other])
            return lambda scope: _number(ARITHMETIC[name], one(scope), other(scope))
        case ["min" | "max" | "abs" as name, _, *_]:
            numbers, function = all_of(data[1:]), {"min": min, "max": max, "abs": abs}[name]
            return lambda scope: _number(function, *(each(scope) for each in numbers))  # type: ignore[arg-type]
        case ["cast" | "isinstance" as name, one, [*letters]]:
            part, is_cast = expression(one), name == "cast"
            return lambda scope: _of_class(part(scope), letters, is_cast)
        case ["table", list(entries), _, *_]:
            keys, size = all_of(data[2:]), len(data) - 1
            require(all(type(each) is list and len(each) == size for each in entries), "a table of another size")
            table = {tuple(map(plain, each[:-1])): plain(each[-1]) for each in entries}
            return lambda scope: _found(table, tuple(key(scope) for key in keys))
    raise Refused(f"{data!r:.60} is no expression")


def all_of(data: Any) -> list[Value]:
    require(type(data) is list, f"{data!r:.60} are no expressions")
    return [expression(each) for each in data]


def variable(variables: dict[str, Any], name: str) -> Any:
    require(name in variables, f"the variable {name!r:.60} has no value")
    return variables[name]


def _first(parts: list[Value], scope: Scope, until: bool) -> Any:
    for part in parts[:-1]:
        value = part(scope)
        if bool(value) is until:
            return value
    return parts[-1](scope)


def _of_class(value: Any, letters: list[Any], is_cast: bool) -> Any:
    if is_cast and isinstance(value, Reference) and value.letters == ANY and ANY not in letters:
        require(len(letters) > 0, "a cast to no class")
        return Reference(letters[0], value.number)
    is_one = (value.letters if isinstance(value, Reference) else value is None and "-") in letters
    if is_cast and not is_one:
        raise Fault("a reference of another class")
    return value if is_cast else is_one


def _comparison(data: Any) -> tuple[str, list[Value]]:
    require(type(data) is list and len(data) == 2, f"{data!r:.60} is no comparison")
    require(data[0] in ("==", "!=", "in", "not in", *ORDER), f"{data!r:.60} is no comparison")
    return data[0], all_of(data[1]) if "in" in data[0] else [expression(data[1])]


def _compare(left: Value, rest: list[tuple[str, list[Value]]], scope: Scope) -> bool:
    value = left(scope)
    for name, others in rest:
        right = [each(scope) for each in others]
        if name in ORDER:
            try:
                holds = ORDER[name](value, right[0])
            except TypeError:
                raise Fault("no order") from None
        else:
            holds = any(scope.equal(value, each) for each in right) is (name in ("==", "in"))
        if not holds:
            return False
        value = right[0] if right else None
    return True


def _number(function: Callable[..., Any], *numbers: Any) -> Any:
    require(not any(type(each) is str for each in numbers), "this checker computes with numbers only")
    try:
        found = function(*numbers)
    except (TypeError, ZeroDivisionError):
        raise Fault("no numbers") from None
    require(abs(found) <= LARGEST, "a number is too large for this checker")
    return found


def _found(table: dict[tuple[Any, ...], Any], key: tuple[Any, ...]) -> Any:
    if key not in table:
        raise Fault("it is not in the table")
    return table[key]
