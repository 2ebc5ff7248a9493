"""Where a procedure's operations lead, and which variables are still needed where."""

import ast
from collections.abc import Iterable, Iterator
from functools import partial

from attrs import astuple

from coc_programs import operations as ops
from coc_programs.kinds import reached
from coc_programs.syntax.body import Body
from coc_programs.syntax.rewriting import has
from coc_programs.syntax.source import Expression, Source


def expressions_of(operation: ops.Operation) -> Iterator[Expression]:
    """Yield the expressions that an operation computes."""
    for part in astuple(operation, recurse=False):
        several = part.values() if isinstance(part, dict) else part if isinstance(part, tuple) else (part,)
        yield from (each for each in several if isinstance(each, Expression))


def live_variables(body: Body) -> list[frozenset[str]]:
    """Return the variables that are needed before each operation, in order of the operations.

    Raises:
        PluginError: A variable, or a field of a record, may be needed before it has a value.
    """
    operations, source = body.operations, body.source
    live = [frozenset[str]()] * (len(operations) + 1)
    used = [frozenset(name for each in expressions_of(part) for name in each.variables) for part in operations]
    following = [_successors(body, index) for index in range(len(operations))]
    changed = True
    while changed:
        changed = False
        for index in range(len(operations) - 1, -1, -1):
            after = frozenset[str]().union(*(live[each] for each in following[index]))
            before = used[index].union(name for name in after if not _is_given(name, operations[index]))
            if before != live[index]:
                live[index], changed = before, True
    for index, operation in enumerate(operations):
        given: Iterable[str | None] = operation.values if isinstance(operation, ops.Assign) else ()
        if isinstance(operation, ops.CallProcedure) and not operation.parts:
            given = (operation.target,)
        for name in live[index + 1]:
            if name.partition(".")[0] in given and "." in name:
                _refuse_unset(source, body, name)
    for name in sorted(live[0] - {*source.procedure.parameters}):
        _refuse_unset(source, body, name)
    return live


def reachable(body: Body) -> list[int]:
    """Return the indices of the operations that a run may come to, as far as tests without variables say."""
    return sorted(reached([0], partial(_successors, body)))


def _successors(body: Body, index: int) -> tuple[int, ...]:
    match body.operations[index]:
        case ops.Branch(test=test, otherwise=otherwise) if not (test.variables or has(test.node, ast.Call)):
            return (index + 1 if body.source.evaluate(test.node) else otherwise,)
        case ops.Jump(to=to):
            return (to,)
        case ops.Branch(otherwise=otherwise):
            return index + 1, otherwise
        case ops.Return():
            return ()
    return (index + 1,)


def _is_given(name: str, operation: ops.Operation) -> bool:
    """Return whether an operation gives a value to the variable, which may be a field of a record that it reads."""
    match operation:
        case ops.Assign(values=values):
            return name in values
        case ops.ReadRecord(target=target) | ops.MakeRecord(target=target):
            return target is not None and name.partition(".")[0] == target
        case ops.CallProcedure() if operation.parts:
            return name in operation.parts
        case ops.Wait(target=target):
            return name == target
    return False


def _refuse_unset(source: Source, body: Body, name: str) -> None:
    uses = (each for operation in body.operations for each in expressions_of(operation) if name in each.variables)
    record, _, field = name.partition(".")
    problem, remedy = f"{name!r} may be used before it has a value", "give it one first"
    if field:
        problem = f"{record!r} may not have been read where its {field!r} is needed"
        remedy = f"write `{record} = yield read(...)` first"
    source.refuse(next(uses).line, problem, remedy)
