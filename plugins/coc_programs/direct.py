"""Running a program as it stands, as Python runs generator functions: what a compiled program has to equal."""

from collections.abc import Generator, Sequence
from inspect import isgenerator
from typing import Any

from coc_core.errors import PluginError
from coc_programs.functions.telling import told_one_by_one
from coc_programs.language import Call, New, Read, Told, Write, _current
from coc_programs.record import Record


def numbered(call: Call, records: Sequence[Record]) -> Sequence[Record]:
    """Return the records, each with its place in the list as its number.

    Raises:
        PluginError: One is in the list twice, or the call or a record refers to one that is not there.
    """
    for record in records:
        record.number = 0
    for number, record in enumerate(records, 1):
        if record.number:
            raise PluginError(f"{record} is also record {number} of the list", remedy="list each record once")
        record.number = number
    for value in (*call.arguments, *(value for record in records for value in record.fields.values())):
        if isinstance(value, Record):
            listed = records[value.number - 1] if 0 < value.number <= len(records) else None
            if type(listed) is not type(value) or (value.fields and value is not listed):  # `Cell.at(7)` has no fields
                what = type(value).__name__
                raise PluginError(f"a {what} is missing in the list of records", remedy="list each record")
    return records


def interpret(call: Call, records: Sequence[Record]) -> Generator[Any, None, Any]:
    """Run a call, and yield its actions and notes. Several runs may take turns.

    Args:
        call: The call of the main procedure.
        records: The records that it begins with, which stay as they are.

    Returns:
        The result of the call, and all records as they are then.
    """
    memory: dict[int, Record] = {}

    def store(record: Record) -> None:
        fields = record.fields.items()
        memory[record.number] = type(record).at(record.number, {name: _reference(value) for name, value in fields})

    def copied(record: Record) -> Record:
        return type(record).at(record.number, memory[record.number].fields)

    for record in numbered(call, records):
        store(record)
    pending = [_run(call)]
    result: Any = None
    while pending:
        answer, result = result, None
        token = _current.set(copied)
        try:
            effect = pending[-1].send(answer)
        except StopIteration as stop:
            pending.pop()
            result = stop.value
            continue
        finally:
            _current.reset(token)
        match effect:
            case Call():
                pending.append(_run(effect))
            case Read(read):
                result = copied(read)
            case Write(written, fields):
                memory[written.number].__dict__.update({name: _reference(fields[name]) for name in fields})
            case New(kind, fields):
                result = kind.at(len(memory) + 1, fields)
                store(result)
            case Told(value):
                yield from told_one_by_one(value, copied)
            case _:
                yield effect
    return result, tuple(memory.values())


def _run(call: Call) -> Generator[Any, Any, Any]:
    """Yield a run of one procedure, which has no `yield` if it reads by `chain` alone."""
    made = call.procedure.function(*map(_reference, call.arguments))
    return (yield from made) if isgenerator(made) else made


def _reference(value: Any) -> Any:
    """Return a value as a field holds it: of a record, a reference without its fields."""
    return type(value).at(value.number) if isinstance(value, Record) else value
