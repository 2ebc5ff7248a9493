"""Records are read from JSON by their type hints, and nothing else than they say is accepted."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from attrs import field, frozen

from coc_core.errors import ArtefactError
from coc_core.storage import read_document
from tests.support.for_each import for_each


class Colour(StrEnum):
    red = "red"
    blue = "blue"


@frozen
class Point:
    at: Annotated[float, range(1)]
    seen: bool = False


def _is_even(_point, _field, value):
    if value % 2:
        raise ValueError("an even number is wanted")


@frozen
class Record:
    count: Annotated[int, range(1, 3)] = 1
    even: int = field(default=0, validator=_is_even)
    name: Annotated[str, re.compile("[a-z]+")] | None = None
    short: Annotated[str, range(3)] = ""
    colour: Colour = Colour.red
    word: Literal["one", "two"] = "one"
    sizes: Mapping[str, range] = {}
    point: Point | None = None
    points: Sequence[Point] = ()
    lists: Annotated[Mapping[Annotated[str, range(3)], tuple[int, ...]], range(2)] = {}
    rest: Any = None


@for_each(
    ("document", "record"),
    [
        ({}, Record()),
        ({"count": 2, "name": "a", "short": "ab", "rest": [1, {}]}, Record(2, name="a", short="ab", rest=[1, {}])),
        ({"colour": "blue", "word": "two"}, Record(colour=Colour.blue, word="two")),
        ({"sizes": {"a": [1, 1], "b": [0, 9]}}, Record(sizes={"a": range(1, 2), "b": range(10)})),
        (
            {"point": {"at": 0}, "points": [{"at": 0.5, "seen": True}]},
            Record(point=Point(0), points=(Point(0.5, True),)),
        ),
        ({"lists": {"ab": [1, 2]}}, Record(lists={"ab": (1, 2)})),
    ],
)
def test_what_the_hints_say_is_read(document, record):
    found = read_document(Record, document, "it", sparse=True)
    assert found == record
    assert type(found.colour) is Colour


@for_each(
    ("document", "message"),
    [
        (None, "it is None, not an object"),
        ({"counts": 1}, "it has the unknown key 'counts'"),
        ({"count": True}, "it: count is True, not a whole number"),
        ({"count": 1.0}, "it: count is 1.0, not a whole number"),
        ({"count": 3}, "it: count is 3, not from 1 to below 3"),
        ({"even": 3}, "it: an even number is wanted"),
        ({"name": 3}, "it: name is 3, not a text"),
        ({"name": "A\x1b"}, r"it: name can't be 'A\x1b'"),
        ({"short": "abc"}, "it: short is of length 3, not from 0 to below 3"),
        ({"colour": "green"}, "it: colour is 'green', not one of red, blue"),
        ({"word": ["one"]}, "it: word is ['one'], not one of one, two"),
        ({"sizes": {"a": [2, 1]}}, "it: sizes['a'] is [2, 1], not a first and a last number"),
        ({"sizes": {"a": [True, 1]}}, "it: sizes['a'] is [True, 1], not a first and a last number"),
        ({"sizes": {"a": [0, 10**18 + 1]}}, f"it: sizes['a'] is [0, {10**18 + 1}], not a first and a last number"),
        ({"point": {}}, "it: point lacks 'at'"),
        ({"point": {"at": 1, "seen": 0}}, "it: point.at is 1, not from 0 to below 1"),
        ({"point": {"at": "0"}}, "it: point.at is '0', not a number"),
        ({"points": {}}, "it: points is {}, not a list"),
        ({"points": [{"at": 0}, {"at": 0, "seen": 0}]}, "it: points[1].seen is 0, not true or false"),
        ({"points": [{"at": 0, "more": 0}]}, "it: points[0] has the unknown key 'more'"),
        ({"lists": []}, "it: lists is [], not an object"),
        ({"lists": {"a": [1, "b"]}}, "it: lists['a'][1] is 'b', not a whole number"),
        ({"lists": {"a\nb": []}}, r"it: lists['a\nb'] is of length 3, not from 0 to below 3"),
        ({"lists": {"a": [], "b": []}}, "it: lists is of length 2, not from 0 to below 2"),
    ],
)
def test_anything_else_is_refused_with_its_path(document, message):
    with pytest.raises(ArtefactError) as error:
        read_document(Record, document, "it", sparse=True)
    assert str(error.value) == message


def test_keys_may_be_missing_only_if_that_is_said():
    for kind, whole, missing in ((Point, {"at": 0, "seen": True}, "seen"), (Point, {"at": 0, "seen": True}, "at")):
        assert read_document(kind, whole, "it") == Point(0.0, True)
        with pytest.raises(ArtefactError, match=f"^it lacks '{missing}'$"):
            read_document(kind, {key: value for key, value in whole.items() if key != missing}, "it")


def test_one_of_many_faults_is_told_at_once():
    with pytest.raises(ArtefactError, match=r"^it: lists\['a'\]\[0\] is '', not a whole number$"):
        read_document(Record, {"lists": {"a": [""] * 10**6}}, "it", sparse=True)
