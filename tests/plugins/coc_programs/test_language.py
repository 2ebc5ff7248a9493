"""Records, and what a procedure yields."""

import pytest

from coc_core.errors import PluginError
from coc_programs import Record, new, procedure, read, write


class Cell(Record):
    """A record with defaults."""

    next: "Cell | None" = None
    seen: bool = False


class Pair(Record, letters="PR"):
    """A record without."""

    first: Cell
    second: Cell


class Triple(Pair):
    """A record with the fields of another class."""

    third: Cell | None = None


class _Hidden(Record):
    flag: bool


@procedure
def visit(cell: Cell, again: bool) -> bool:
    """Visit a cell."""
    x = yield read(cell)
    return x.seen and again


def test_a_record_has_a_name_and_fields():
    cell = Cell(seen=True)
    assert cell.fields == {"next": None, "seen": True}
    reference = Cell.at(7)
    assert (repr(reference), reference.fields) == ("C7", {})
    assert repr(Pair.at(3)) == "PR3"
    assert repr(_Hidden.at(1)) == "H1"
    assert Triple.field_names() == ("first", "second", "third")
    assert Cell.at(-1).name == "C+1"


def test_references_are_equal_if_they_are_to_the_same_record():
    assert Cell.at(1) == Cell.at(1, {"seen": True})
    assert hash(Cell.at(1)) == hash(Cell.at(1, {"seen": True}))
    assert Cell.at(1) != Cell.at(2)
    assert Cell.at(1) != Pair.at(1)
    assert Cell.at(1) != 1
    one, other = Cell(), Cell()  # without numbers yet
    assert one == one
    assert one != other
    assert len({one, other, one}) == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cell(nixt=None), "Cell has no field 'nixt'"),
        (lambda: Pair(first=Cell()), "Pair needs a value for 'second'"),
        (lambda: new(Pair, first=Cell()), "Pair needs a value for 'second'"),
        (lambda: read(None), "there is no record to read, but None"),
        (lambda: write(None, seen=True), "there is no record to write, but None"),
        (lambda: write(Cell.at(1), nixt=None), "Cell has no field 'nixt'"),
        (lambda: write(Cell.at(1)), "nothing to write"),
        (lambda: visit(Cell.at(1)), r"visit takes the arguments \(cell, again\), without defaults"),
        (lambda: visit(Cell.at(1), True, True), "visit takes the arguments"),
        (lambda: visit(Cell.at(1), True, again=True), "visit takes the arguments"),
        (lambda: procedure(visit), "`procedure` decorates a plain `def`, not <procedure visit>"),
        (lambda: type("Bad", (Record,), {}, letters="C1"), "the names of Bad must begin with letters, not 'C1'"),
    ],
)
def test_what_is_wrong_is_said(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_a_field_of_a_record_that_has_not_been_read_is_not_known():
    with pytest.raises(AttributeError, match=r"C1 has not been read: its 'seen' is known after `yield read\(\.\.\.\)`"):
        _ = Cell.at(1).seen
    with pytest.raises(AttributeError, match="Cell has no field 'nixt'"):
        _ = Cell.at(1).nixt


def test_a_name_can_stand_in_the_text_of_an_action():
    codec = Cell.codec()
    assert codec.parse("C7") == Cell.at(7)
    assert codec.format(Cell.at(7)) == "C7"
    for text in ("C0", "7", "D7", "C", "C07"):
        with pytest.raises(ValueError, match="is not"):
            codec.parse(text)


@pytest.mark.parametrize("name", ["name", "number", "fields", "letters", "at", "codec", "_defaults", "__dict__"])
def test_a_field_that_every_record_has_is_refused_with_its_line(name):
    with pytest.raises(
        PluginError, match=rf"^test_language.py, line \d+, in Bad: every record has a '{name}' of its own"
    ):
        type("Bad", (Record,), {"__annotations__": {name: int}})
    with pytest.raises(PluginError, match="'__eq__' of its own; choose another name"):

        class Equal(Record):
            def __eq__(self, other):
                return True


def test_names_of_arguments_and_fields_are_free():
    class Free(Record):
        self: int
        kind: int
        record: int
        cls: int

    fields = {"self": 1, "kind": 2, "record": 3, "cls": 4}
    assert Free(**fields).fields == new(Free, **fields).fields == write(Free.at(1), **fields).fields == fields

    def called(self):
        yield self

    assert procedure(called)(self=7).arguments == (7,)
