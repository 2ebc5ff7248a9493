"""Calls of the library with Python values, run as it stands: drawn programs say that the machine does the same."""

from collections.abc import Callable
from typing import Any

from coc_programs import Procedure, Record, interpret
from coc_programs.functions.values import reachable
from coc_programs.library import List, Number, Text, loaded


def stored(value: Any) -> Any:
    """Return a Python value as new records; None as it is."""
    match value:
        case int():
            return Number.store(value)
        case str():
            return Text.store(value)
        case list():
            return List.store(value, stored)
    return value


def run(main: Procedure, *given: Record | None) -> tuple[Any, Callable[[Record], Record]]:
    """Return what a procedure gives, as it stands, and what reads a record at its end."""
    running = interpret(main(*given), reachable(given))
    try:
        next(running)
    except StopIteration as stop:
        result, memory = stop.value
        return result, lambda record: memory[record.number - 1]
    raise AssertionError("the program takes an action")


def called(main: Procedure, *arguments: Any) -> Any:
    """Return what a procedure gives for Python values, as Python has it."""
    result, read = run(main, *map(stored, arguments))
    return loaded(result, read) if isinstance(result, Record) else result
