"""What goes wrong with records of any class, and with what the library is given."""

import pytest

from coc_core.arithmetic import Symbolic
from coc_core.errors import PluginError
from coc_core.execution import Machine
from coc_programs import Record, Steps, procedure, read, write
from coc_programs.functions.values import reachable
from coc_programs.heap.convention import HeapConvention
from coc_programs.heap.memory import Heap
from coc_programs.library import List, Map, Number, Text
from tests.support.program_runs import Go, domain_of


class Cup(Record):
    """A record of another class than a number."""

    full: bool = False


@procedure
def sip(items: List[Cup]) -> Steps[None]:
    """Read what is no cup."""
    x = yield read(items)
    if x.first and (yield read(x.first)).full:
        yield write(x.first, full=False)


@procedure
def fill(items: List[Cup]) -> Steps[None]:
    """Write what is no cup, and was not read."""
    x = yield read(items)
    if x.first:
        yield write(x.first, full=True)


@pytest.mark.parametrize("main", [sip, fill])
def test_a_record_of_another_class_is_a_fault(main):
    items = List.store([7], Number.store)
    domain = domain_of(main, lambda: (main(items), reachable([items])), Number)
    convention = HeapConvention(domain, "symbolic")
    machine = Machine(domain, Go(), Heap(), convention, Symbolic())
    machine.run(convention.target_for)
    assert machine.fault.kind == "address"
    assert "there is no record C" in machine.fault.message


def test_a_class_may_not_have_letters_of_the_library():
    with pytest.raises(PluginError, match=r"both begin with D; write `class Door\(Record, letters="):
        domain_of(enter, lambda: None)


class Door(Record):
    """A record whose name begins like that of a number."""

    key: Number | None = None


@procedure
def enter(door: Door) -> Steps[None]:
    """Read a door."""
    yield read(door)


@pytest.mark.parametrize(("kind", "value"), [(Number, "7"), (Text, 7), (List, 7), (Map, {"a": 1}), (Map, [1])])
def test_what_is_no_such_value_is_a_type_or_value_error(kind, value):
    with pytest.raises((TypeError, ValueError, AttributeError)):
        kind.store(value)


def test_numbers_of_any_length_are_stored_and_loaded():
    for number in (0, -1, 3, -4, 10**5000, -(10**5000) + 1):
        assert Number.store(number).load(lambda record: record) == number
