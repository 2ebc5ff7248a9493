"""Drawn calls of the library: a program that makes them one after the other, run as it stands and on the machine."""

from typing import Any, Literal

from coc_core.types import Limits
from coc_problems import closure
from coc_programs import Record, interpret
from coc_programs.heap.convention import HeapConvention
from coc_programs.heap.memory import Heap as Memory
from coc_programs.library import List, Number, Text, loaded
from tests.support.program_runs import domain_of, on_machine

LIMITS = Limits(steps=10**8, stack_depth=10**7, tape_bytes=10**9)


class Do(Record, letters="dx"):
    """A call: what is called, and two arguments."""

    what: Literal[
        "add", "subtract", "times", "quotient", "remainder", "negate", "successor", "predecessor", "less", "same",
        "negative", "backwards", "joint", "length", "extended", "decimal", "number", "same_text", "push", "pop",
        "get", "put", "get_text", "put_text", "get_at", "put_at", "append", "entries",
    ]  # fmt: skip
    a: Record | None = None
    b: Record | None = None


class Box(Record, letters="bx"):
    """What a program changes, and what it finds, the last first."""

    item: Record | None = None
    found: List | None = None


def stored(value: Any) -> Any:
    """Return a Python value as new records; None and records as they are."""
    match value:
        case int():
            return Number.store(value)
        case str():
            return Text.store(value)
        case list():
            return List.store(value, stored)
    return value


def reachable(*records: Any) -> list[Record]:
    """Return the records, and all that can be reached from them, each once."""
    found, queue = dict[int, Record](), [*records]
    for record in queue:
        if isinstance(record, Record) and id(record) not in found:
            found[id(record)] = record
            queue += record.fields.values()
    return [*found.values()]


class Calls:
    """A program, whose arguments are a box and a list of calls."""

    def __init__(self, main: Any) -> None:
        self.main = main
        self._begun: Any = None
        self.domain = domain_of(main, lambda: self._begun)
        self._listed = {pair.prompt for pair in closure(HeapConvention(self.domain, "symbolic"), [])}

    def _begin(self, item: Any, calls: Any) -> None:
        box = Box(item=item)
        call = self.main(box, List.store([Do(what=what, a=stored(a), b=stored(b)) for what, a, b in calls]))
        self._begun = call, reachable(*call.arguments)

    def straight(self, calls: Any, item: Any = None) -> tuple[Any, list[Any]]:
        """Return the item at the end and what each call gives, when the program is run as it stands."""
        self._begin(item, calls)
        run = interpret(*self._begun)
        try:
            next(run)
        except StopIteration as stop:
            return _results({record.number: record for record in stop.value[1]})
        raise AssertionError("the program takes an action")

    def on_the_machine(self, calls: Any, item: Any = None) -> tuple[Any, list[Any]]:
        """Return the same of the compiled program, all of whose prompts must have been listed."""
        self._begin(item, calls)
        memory, records = Memory(LIMITS), dict[int, Record]()
        memory.spare = 0
        outcome = on_machine(self.domain, memory, HeapConvention(self.domain, "symbolic", LIMITS), LIMITS)
        assert outcome.error is None
        assert not outcome.limited
        assert outcome.pairs.keys() <= self._listed
        for name, fields in (outcome.records or {}).items():
            (kind,) = (each for each in self.domain.compiled.records if name.rstrip("0123456789") == each.letters)
            number = int(name.removeprefix(kind.letters))
            records[number] = kind.at(number, fields)
        return _results(records)


def _results(records: Any) -> tuple[Any, list[Any]]:
    """Return what is in the box, which is the first record, as Python has it."""

    def read(reference: Record) -> Record:
        return records[reference.number]

    found, link = list[Any](), records[1].found and read(records[1].found)
    while link and link.next:
        found.append(link.first and loaded(link.first, read))
        link = read(link.next)
    return records[1].item and loaded(records[1].item, read), found[::-1]
