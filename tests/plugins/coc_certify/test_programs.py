"""Programs as data, which certificates carry."""

import json
import re
from typing import Annotated, Any, Literal, cast

import pytest
from attrs import frozen

from coc_certify.certificate import ProgramCertificate
from coc_certify.certify import Refutation, prove
from coc_certify.programs import program_data
from coc_core.errors import PluginError, UsageError
from coc_core.text import Codec, Form, Forms, item_codec
from coc_problems import ManyProblems, Problems
from coc_programs import Compiled, Record, every, procedure, read
from tests.support.cells_program import Cell, Cells, Copied, both, copy, setting_of
from tests.support.known_margins import Stated

Small = Annotated[int, range(3)]
Colour = Literal["red", "green"]
TABLE = ("red", "green", "red")
LARGE = range(100_000)


class Mark(Record):
    colour: Colour
    next: "Mark | None" = None


class Blot(Mark):
    wide: bool = False


@frozen
class Say:
    what: Any
    loud: bool = False


@frozen
class Point:
    mark: int


@frozen
class Odd:
    what: Any


STOP = Point(7)


@procedure
def unused(first: Cell | None) -> None:
    if first:
        made = yield copy(first, first)
        yield Copied(made)
    yield Copied(None)


def shorter(n: Small) -> Small:
    return [1, 2][n]


def louder(what: Colour, by: Small) -> Small:
    return len(what) % 3 - by


def data_of(main):
    """The operations of a program without records of its own, with two actions and a note."""
    loudness = Codec(str, lambda value: "!" if value else ".")
    odd = Codec(str, lambda value: f"<{value}>")

    class Domain(Cells):
        actions = Forms(
            Form.of(Say, "Say {what}{loud}", what=Codec(str), loud=loudness), Form.of(Odd, "Odd {what}", what=odd)
        )
        notes = Forms(Form.of(Point, "{mark} is next", mark=item_codec("M", "mark")))

    return program_data(Domain(), Compiled(main))


def operations(main):
    return data_of(main)["procedures"][0]["operations"]


def certified(**model):
    setting = setting_of(Cells())
    problems = Problems.of(setting.domain, ManyProblems(sizes=range(1, 4)))
    return prove(setting, Stated(setting.convention, **model), problems)


def test_a_certificate_of_a_program_has_it_all():
    found = certified()
    assert isinstance(found, ProgramCertificate)
    assert (repr(found), found.verdict) == ("<ProgramCertificate: certified, 31 prompts>", "certified")
    document = json.loads(found.format())
    assert (document["format"], document["version"], document["first"]) == ("coc-program-certificate", 2, None)
    assert found.counts == {"procedures": 3, "prompts": 31, "kinds": 5, "wrong": 6}
    assert found.about == (
        "3 procedures of cells, 31 prompts from all 5 kinds of first records and instructions that its types allow;"
        " at 6 more the program itself goes wrong"
    )
    assert document["classes"]["C"]["colour"] == {"words": ["green", "red"], "records": [], "numbers": []}
    assert [each["name"] for each in document["procedures"]] == ["both", "turn", "copy"]
    assert [call[-1] for call in document["procedures"][1]["operations"] if call[0] == "call"] == [True]
    assert document["rules"][0].keys() == {"prompt", "target", "margin", "bound"}


class Ring(Cells):
    """States what runs begin with."""

    def kinds(self):
        return [both(Cell.at(1), Cell.at(2)), *(each for each in every(Cell) if each.next)]


def test_a_certificate_of_a_program_has_the_kinds_that_the_program_states():
    problems = Problems.of(Ring(), ManyProblems(sizes=range(1, 4)))
    setting = setting_of(Ring())
    found = prove(setting, Stated(setting.convention), problems)
    assert json.loads(found.format())["first"] == [
        "CALL both first=C1 last=C2",
        "C1: next=C2 colour=green",
        "C1: next=C2 colour=red",
    ]
    assert " 31 prompts from the 3 kinds of first records and instructions that the program states; at " in found.about


class Closed(Ring):
    """States kinds that its problems don't begin with."""

    def kinds(self):
        return [both(Cell.at(1), Cell.at(2)), Cell(colour="red")]


class Idle(Ring):
    """States kinds of which no run reaches `copy`."""

    main = unused

    def kinds(self):
        return [unused(None)]

    def begin(self, problem):
        return unused(None), []


def test_kinds_that_leave_out_a_problem_or_a_procedure_are_refused():
    for domain, error, told in (
        (Closed(), UsageError, "the run begins with 'C1: next=C1 colour=red', which is none of the 2 kinds that cells"),
        (
            Idle(),
            PluginError,
            "in copy: no run that begins with the kinds of this domain calls it; remove it, or state",
        ),
    ):
        setting = setting_of(domain)
        problems = Problems.of(domain, ManyProblems(sizes=range(1, 4)))
        with pytest.raises(error, match=re.escape(told)):
            prove(setting, Stated(setting.convention), problems)


def test_a_model_that_takes_another_step_has_none():
    assert certified(margin=-1.0) == Refutation(
        "CALL both first=C1 last=C2", "in float64 the model writes another target"
    )


@procedure
def expressions(a: Mark | None, n: Small, c: Colour) -> bool:
    m = -n if not a else n + 1
    m = (n & 1) ^ (n // 2 | 2)
    c = TABLE[n]
    m = max(n, 2, abs(n))
    m = louder(c, by=n)
    yield Say(m)
    return (0 <= n < 2 and c in ("red", c) and n not in (0, 1)) or (a is None and (a or a) == a)


def test_expressions():
    branch = operations(expressions)
    n, c, a = (["variable", name] for name in "nca")
    assert branch[:4] == [
        ["assign", {"m": ["if", ["not", a], ["-", ["value", 0], n], ["+", n, ["value", 1]]]}],
        ["assign", {"m": ["^", ["&", n, ["value", 1]], ["|", ["//", n, ["value", 2]], ["value", 2]]]}],
        ["assign", {"c": ["table", [[i, TABLE[i]] for i in range(-3, 3)], n]}],
        ["assign", {"m": ["max", n, ["value", 2], ["abs", n]]}],
    ]
    values = [["green", 0, 2], ["green", 1, 1], ["green", 2, 0], ["red", 0, 0], ["red", 1, -1], ["red", 2, -2]]
    assert branch[4] == ["assign", {"m": ["table", values, c, n]}]
    least = ["compare", ["value", 0], ["<=", n], ["<", ["value", 2]]]
    same = ["compare", ["or", a, a], ["==", a]]
    is_none = ["compare", a, ["is", ["value", None]]]
    inside = [["compare", c, ["in", [["value", "red"], c]]], ["compare", n, ["not in", [["value", 0], ["value", 1]]]]]
    assert branch[6] == ["return", ["or", ["and", least, *inside], ["and", is_none, same]]]


@procedure
def classes(a: Mark | Blot | None) -> bool:
    yield Say(cast(Mark, a))
    return isinstance(a, Mark)


def test_an_instance_may_be_of_a_class_below():
    a = ["variable", "a"]
    assert operations(classes)[:2] == [
        ["emit", ["OUTPUT Say ", [["cast", a, ["M"]], "", {}], "", ".", ""]],
        ["return", ["isinstance", a, ["B", "M"]]],
    ]


@procedure
def emissions(a: Mark, n: Small, b: bool) -> None:
    yield Say(n)
    yield Say(n, loud=b)
    yield Say(what=a)
    yield Point(a.number)
    yield STOP
    yield Odd(n)
    yield Odd("red" if b else "green")
    n = shorter(n)


def test_actions_and_notes():
    a, n, b = (["variable", name] for name in "anb")
    value = ["if", b, ["value", "red"], ["value", "green"]]
    assert operations(emissions)[:-1] == [
        ["emit", ["OUTPUT Say ", [n, "", {}], "", ".", ""]],
        ["emit", ["OUTPUT Say ", [n, "", {}], "", [b, "", {"no": ".", "yes": "!"}], ""]],
        ["emit", ["OUTPUT Say ", [a, "", {}], "", ".", ""]],
        ["emit", ["", [["number", a], "M", {}], " is next"]],
        ["emit", ["M7 is next"]],
        ["emit", ["OUTPUT Odd ", [n, "", {str(i): f"<{i}>" for i in range(3)}], ""]],
        ["emit", ["OUTPUT Odd ", [value, "", {each: f"<{each}>" for each in ("green", "red")}], ""]],
        ["assign", {"n": ["table", [[0, 1], [1, 2]], n]}],  # 2 goes wrong
    ]


@procedure
def calls_with_numbers(n: Small, m: Annotated[int, range(4000)]) -> None:
    yield Say(shorter(n) if not m else shorter(m * 2))


@procedure
def calls_with_two(m: Annotated[int, range(4000)]) -> None:
    yield Say(louder("red" if m else "green", m))


@procedure
def shifts(n: Small) -> None:
    yield Say(n << 1)


@procedure
def looks_up(n: Small) -> None:
    yield Say(LARGE[n])


@procedure
def looks_in(n: Small) -> None:
    yield Say(n in LARGE)


@procedure
def writes_a_value(c: Colour) -> None:
    yield Point(1) if c == "red" else Point(2)


@procedure
def names_otherwise(a: Mark) -> None:
    x = yield read(a)
    yield Odd(x.next)


@pytest.mark.parametrize(
    ("main", "reason"),
    [
        (calls_with_numbers, "'shorter(m * 2)', a helper function of references or of many numbers; write it as a"),
        (calls_with_two, "a helper function of more than 4,096 values; write it as a procedure"),
        (shifts, "'n << 1'; use variables, fields and constants"),
        (looks_up, "'LARGE[n]'; use variables, fields and constants"),
        (looks_in, "'LARGE'; use variables, fields and constants"),
        (writes_a_value, r"which is not a new action or note; yield Class(...)"),
        (names_otherwise, "'x.next', whose text is not that of a name; use the codec of a name"),
    ],
)
def test_what_is_no_data_is_refused_with_its_line(main, reason):
    with pytest.raises(PluginError) as caught:
        data_of(main)
    assert reason in str(caught.value), caught.value
    assert (
        f"test_programs.py, line {main.function.__code__.co_firstlineno + 2}" in str(caught.value) or "x.next" in reason
    )
    assert "a certificate can't carry" in str(caught.value)
