"""Running a program as it stands, as Python runs generator functions: what a compiled program has to equal."""

from collections.abc import Generator, Sequence
from typing import Any

from coc_core.program.language import Call, New, Read, Write, _current
from coc_core.program.record import Record


def numbered(records: Sequence[Record]) -> Sequence[Record]:
    """The records, each with its place in the list as its number."""
    for number, record in enumerate(records, 1):
        record.number = number
    return records


def interpret(call: Call, records: Sequence[Record]) -> Generator[Any, None, Any]:
    """Run a call, and yield its actions and notes.

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

    for record in numbered(records):
        store(record)
    pending: list[Generator[Any, Any, Any]] = []
    result: Any = None
    effect: Any = call
    token = _current.set(copied)
    try:
        while True:
            answer = None
            match effect:
                case Call():
                    pending.append(effect.procedure.function(*map(_reference, effect.arguments)))
                case Read(read):
                    answer = copied(read)
                case Write(written, fields):
                    memory[written.number].__dict__.update({name: _reference(fields[name]) for name in fields})
                case New(kind, fields):
                    answer = kind.at(len(memory) + 1, fields)
                    store(answer)
                case _:
                    yield effect
            while True:
                try:
                    effect = pending[-1].send(answer)
                    break
                except StopIteration as stop:
                    pending.pop()
                    answer = result = stop.value
                if not pending:
                    return result, tuple(memory.values())
    finally:
        _current.reset(token)


def _reference(value: Any) -> Any:
    """A value as a field holds it: of a record, a reference without its fields."""
    return type(value).at(value.number) if isinstance(value, Record) else value
