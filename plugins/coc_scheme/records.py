"""The records of the Scheme machine: values, variables, frames, and the code that a program becomes.

A record has one class for each role, and few fields. What has an end ends in a record that refers to itself, so that no
field is none by accident.
"""

from __future__ import annotations  # the classes refer to each other

from typing import Annotated, Literal

from coc_programs import Record

Few = Annotated[int, range(4)]
Deep = Annotated[int, range(8)]
Decimal = Annotated[int, range(10)]

PLACES = [(up, over) for up in "abcdefgh" for over in ("abcd" if up in "abcd" else "ab")]
"""Variables near by: `ba` is one scope up, and there the last."""

UP = {f"{way}{up}{over}": "abcdefgh".index(up) for way in ("var", "push") for up, over in PLACES}
OVER = {name: "abcd".index(name[-1]) for name in UP}
LEAVES = {f"leave{up}": "abcdefgh".index(up) for up in "abcdefgh"}
ON_DIGITS = ("add", "sub", "mul", "quo", "rem", "less", "more", "same")
OPERATIONS = dict.fromkeys((*UP, *LEAVES), "+") | {
    "return": "", "halt": "", "const": "V+", "pushconst": "V+", "push": "+", "global": "G+-", "define": "G+",
    "far": "P+", "assign": "P+", "close": "L+", "enter": "C+", "goto": "E+C", "frame": "C+-", "call": "T-",
    "apply": "T-", "capture": "+", "throw": "+", "branch": "V+-", "ifpair": "+-", "ifnumber": "+-", "ifchar": "+-",
    "ifprocedure": "+-", "ifsort": "V+-", "ifeqv": "+-", "numeric": "W-", "withconst": "W-", "tenth": "I+",
    "cons": "+", "car": "+-", "cdr": "+-", "setcar": "+-", "setcdr": "+-", "block": "V+-", "length": "V+-",
    "ref": "V+-", "set": "V+-", "sort": "+-", "asnumber": "+-", "aschar": "+-", "put": "+-", "fresh": "+", "trail": "+",
}  # fmt: skip
"""Each operation with the letter of what it works with, `+` if it knows the next code, `-` if another, C a cell."""


class Digit(Record):
    """A digit of a whole number, lowest first, in base 4 and the complement of four.

    The last one, 0 or 3, repeats for ever, so that one way to add serves all signs: 0 alone is the number 0, 3 alone
    is -1. The rest of the one is the other.
    """

    digit: Few
    last: bool = False
    rest: Digit


class Node(Record):
    """Of a block: the element whose index ends here, and the nodes of indices that go on with 0, 1, 2 or 3."""

    item: Value
    a: Node | None = None
    b: Node | None = None
    c: Node | None = None
    d: Node | None = None


class About(Record):
    """Of a block: its length, and what elements are that were never set."""

    length: Digit
    fill: Value


class Value(Record):
    """A value of Scheme.

    word: one of a kind, such as the empty list. number, char: first has the digits. pair: first and second. closure:
    first is its procedure, second its variables. continuation: first is a frame. Any other value is a block of
    elements, such as a string, a vector or a record; its kind is a value that all of its sort share, first its nodes,
    and second what is said about it.
    """

    kind: Literal["word", "number", "char", "pair", "closure", "continuation"] | Value
    first: Value | Digit | Lambda | Frame | Node | None = None
    second: Value | Env | About | None = None


class Cell(Record):
    """A variable or an operand, and those before it."""

    value: Value
    next: Cell


class Global(Record):
    """A variable of the program, without a value until it is defined."""

    value: Value | None = None


class Env(Record):
    """The variables of a scope, and the scope around it."""

    cells: Cell
    up: Env


class Count(Record, letters="T"):
    """A number of arguments, one record for each, so that two are compared by name."""

    less: Count | None = None
    more: Count | None = None


class Lambda(Record):
    """A procedure without its variables. `rest` is the empty list if it takes any number of further arguments."""

    count: Count
    rest: Value | None = None
    body: Code
    bottom: Cell


class Path(Record):
    """The way to a variable that is not near by."""

    way: Literal["up", "over", "here"]
    next: Path | None = None


class Arith(Record, letters="W"):
    """What to do with two numbers, of which the second may be given here, and where to go on."""

    what: Literal["add", "sub", "mul", "quo", "rem", "less", "more", "same"]
    right: Digit | None = None
    yes: Code
    no: Code | None = None


class Decimals(Record, letters="I"):
    """The characters from 0 to 9."""

    c0: Value
    c1: Value
    c2: Value
    c3: Value
    c4: Value
    c5: Value
    c6: Value
    c7: Value
    c8: Value
    c9: Value


class Code(Record, letters="X"):
    """An operation, what it works with, the one after it, and another for the other case."""

    op: Literal[tuple(OPERATIONS)]  # type: ignore[valid-type]
    arg: Value | Global | Env | Lambda | Count | Path | Arith | Cell | Decimals | None = None
    next: Code | None = None
    alt: Code | Cell | None = None


class Frame(Record):
    """What to return to."""

    code: Code
    env: Env
    stack: Cell
    next: Frame


class Division(Record, letters="Q"):
    """What a division finds."""

    quotient: Digit
    rest: Digit


class Tenth(Record, letters="Z"):
    """What a division by ten finds."""

    quotient: Digit
    rest: Decimal
