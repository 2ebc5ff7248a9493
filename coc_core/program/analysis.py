"""What follows from a procedure's operations: which variables are still needed where, and the kinds of each."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from coc_core.program.body import Body
from coc_core.program.kinds import (
    NOTHING,
    NUMBER,
    TRUTH,
    Kinds,
    field_kinds,
    hints_of,
    kinds_of_hint,
    kinds_of_value,
    union,
)
from coc_core.program.language import Procedure
from coc_core.program.operations import (
    Assign,
    Branch,
    CallProcedure,
    Emit,
    Jump,
    MakeRecord,
    Operation,
    ReadRecord,
    Return,
    Store,
    Wait,
)
from coc_core.program.record import Record
from coc_core.program.source import Expression, Source


@frozen
class Signature:
    """The kinds of a procedure's arguments, in order, and of its result."""

    arguments: Mapping[str, Kinds]
    result: Kinds

    @property
    def returns(self) -> bool:
        """Whether it has a result."""
        return self.result != NOTHING

    @classmethod
    def of(cls, source: Source) -> "Signature":
        """The signature that the type hints say."""
        procedure = source.procedure
        try:
            hints = hints_of(procedure.function, {})
            arguments = {name: kinds_of_hint(hints[name]) for name in procedure.parameters}
            return cls(arguments, kinds_of_hint(hints.get("return")))
        except TypeError as error:
            source.refuse(source.tree, str(error))


def expressions_of(operation: Operation) -> Iterator[Expression]:
    """The expressions that an operation computes."""
    match operation:
        case Assign(values=values):
            yield from values.values()
        case Branch(test=expression) | Emit(value=expression) | ReadRecord(record=expression):
            yield expression
        case Store(record=record, fields=fields):
            yield record
            yield from fields.values()
        case MakeRecord(fields=fields):
            yield from fields.values()
        case CallProcedure(arguments=arguments):
            yield from arguments
        case Return(value=value) if value is not None:
            yield value


def live_variables(body: Body) -> list[frozenset[str]]:
    """The variables that are needed before each operation, in order of the operations.

    Raises:
        PluginError: A variable, or a field of a record, may be needed before it has a value.
    """
    operations, source = body.operations, body.source
    live = [frozenset[str]()] * (len(operations) + 1)
    changed = True
    while changed:
        changed = False
        for index in range(len(operations) - 1, -1, -1):
            operation = operations[index]
            after = frozenset[str]().union(*(live[each] for each in _successors(operation, index)))
            gone = {name for name in after if _is_given(name, operation)}
            before = (after - gone).union(*(each.variables for each in expressions_of(operation)))
            if before != live[index]:
                live[index], changed = before, True
    for index, operation in enumerate(operations):
        given: Iterable[str | None] = operation.values if isinstance(operation, Assign) else ()
        if isinstance(operation, CallProcedure):
            given = (operation.target,)
        for name in live[index + 1]:
            if name.partition(".")[0] in given and "." in name:
                _refuse_unset(source, body, name)
    for name in sorted(live[0] - {*source.procedure.parameters}):
        _refuse_unset(source, body, name)
    return live


def reachable(body: Body) -> list[int]:
    """The indices of the operations that a run may come to, as far as tests without variables say."""
    found = [0]
    for index in found:
        match operation := body.operations[index]:
            case Branch(test=test, otherwise=otherwise) if not test.variables:
                after: tuple[int, ...] = (index + 1 if body.source.evaluate(test.node) else otherwise,)
            case _:
                after = _successors(operation, index)
        found.extend(each for each in dict.fromkeys(after) if each not in found)
    return sorted(found)


def _successors(operation: Operation, index: int) -> tuple[int, ...]:
    match operation:
        case Jump(to=to):
            return (to,)
        case Branch(otherwise=otherwise):
            return index + 1, otherwise
        case Return():
            return ()
    return (index + 1,)


def _is_given(name: str, operation: Operation) -> bool:
    """Whether an operation gives a value to the variable, which may be a field of a record that it reads."""
    match operation:
        case Assign(values=values):
            return name in values
        case ReadRecord(target=target) | MakeRecord(target=target):
            return target is not None and name.partition(".")[0] == target
        case Wait(target=target):
            return name == target
    return False


def _refuse_unset(source: Source, body: Body, name: str) -> None:
    record, _, field = name.partition(".")
    uses = (each for operation in body.operations for each in expressions_of(operation) if name in each.variables)
    line = next(uses).line
    if field:
        source.refuse(
            line,
            f"{record!r} may not have been read where its {field!r} is needed",
            f"write `{record} = yield read(...)` first",
        )
    source.refuse(line, f"{name!r} may be used before it has a value", "give it one first")


class Typing:
    """The kinds of the variables of one procedure.

    Attributes:
        kinds: The kinds of each variable, and of each field of a record that is read, such as `cell.next`.
    """

    def __init__(self, body: Body, signatures: Mapping[Procedure, Signature]) -> None:
        self._body, self._source, self._signatures = body, body.source, signatures
        self._signature = signatures[body.source.procedure]
        self._declared = {**self._signature.arguments, **self._annotated()}
        self.kinds: dict[str, Kinds] = dict(self._declared)
        self._fields: dict[type[Record], dict[str, Kinds]] = {}
        before: dict[str, Kinds] | None = None
        while before != self.kinds:
            before = dict(self.kinds)
            for operation in body.operations:
                self._infer(operation)
        for index in reachable(body):
            self._check(body.operations[index])

    def fields(self, record: type[Record], line: int) -> dict[str, Kinds]:
        """The kinds of the fields of a class of records."""
        if record not in self._fields:
            try:
                self._fields[record] = field_kinds(record, self._source.procedure.function.__globals__)
            except TypeError as error:
                self._source.refuse(line, str(error))
        return self._fields[record]

    def _annotated(self) -> dict[str, Kinds]:
        found = dict[str, Kinds]()
        for node in ast.walk(self._source.tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                try:
                    hint = node.annotation
                    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
                        hint = ast.copy_location(ast.parse(hint.value, mode="eval").body, hint)
                    found[node.target.id] = kinds_of_hint(self._source.evaluate(hint))
                except TypeError as error:
                    self._source.refuse(node, str(error))
        return found

    def _infer(self, operation: Operation) -> None:
        match operation:
            case Assign(values=values):
                for name, value in values.items():
                    self._add(name, self.of(value.node))
            case ReadRecord(target=target, record=record) if target is not None:
                for kind in self.of(record.node).records:
                    self._add(target, Kinds(records=frozenset({kind})))
                    for name, kinds in self.fields(kind, operation.line).items():
                        self._add(f"{target}.{name}", kinds)
            case MakeRecord(target=target, kind=kind) if target is not None:
                self._add(target, Kinds(records=frozenset({kind})))
                for name, kinds in self.fields(kind, operation.line).items():
                    self._add(f"{target}.{name}", kinds)
            case CallProcedure(target=target, procedure=procedure) if target is not None:
                self._add(target, self._signatures[procedure].result)

    def _add(self, name: str, kinds: Kinds) -> None:
        if name not in self._declared:
            self.kinds[name] = self.kinds.get(name, Kinds()) | kinds

    def _check(self, operation: Operation) -> None:
        line, source = operation.line, self._source
        if not isinstance(operation, Emit) and any(each.numbers for each in expressions_of(operation)):
            source.refuse(line, "the number of a record is used", "use it in actions and notes only")
        for expression in expressions_of(operation):
            for node in ast.walk(expression.node):
                self._check_field(node)
                self._check_order(node)
        match operation:
            case Assign(values=values):
                for name, value in values.items():
                    self._fits(value, self._declared.get(name), f"the variable {name!r}")
            case ReadRecord(record=record):
                self._only_class(record)
            case Store(record=record, fields=fields):
                self._check_fields(line, self._only_class(record), fields)
            case MakeRecord(kind=kind, fields=fields):
                self._check_fields(line, kind, fields)
            case CallProcedure(procedure=procedure, arguments=arguments, target=target):
                signature = self._signatures[procedure]
                for (name, kinds), argument in zip(signature.arguments.items(), arguments, strict=True):
                    self._fits(argument, kinds, f"the argument {name!r} of {procedure.name}")
                if target is not None and not signature.returns:
                    source.refuse(
                        line,
                        f"{procedure.name} has no result",
                        "give it a return type, or call it on a line of its own",
                    )
            case Return(value=value) if value is not None:
                self._fits(value, self._signature.result, "the result")
            case Return() if None not in self._signature.result.words and self._signature.returns:
                source.refuse(
                    line,
                    f"{source.procedure.name} may end here without a result, which is {self._signature.result}",
                    "return one, or add `| None` to the return type",
                )

    def _only_class(self, record: Expression) -> type[Record]:
        """The class of the record that an expression refers to."""
        kinds = self.of(record.node)
        if len(kinds.records) != 1:
            self._source.refuse(
                record.line, f"{record} is {kinds}, not a reference to one class of records", "give it a type hint"
            )
        return next(iter(kinds.records))

    def _check_fields(self, line: int, record: type[Record], fields: Mapping[str, Expression]) -> None:
        kinds = self.fields(record, line)
        for name, value in fields.items():
            if name not in kinds:
                self._source.refuse(
                    line, f"{record.__name__} has no field {name!r}", f"the fields are {', '.join(kinds)}"
                )
            self._fits(value, kinds[name], f"the field {name!r} of {record.__name__}")

    def _fits(self, value: Expression, expected: Kinds | None, what: str) -> None:
        found = self.of(value.node)
        if expected is not None and not expected.accepts(found):
            text = ast.unparse(value.node)
            self._source.refuse(
                value.line, f"{text!r} is {found}, and {what} is {expected}", "change the one or the type of the other"
            )

    def of(self, node: ast.expr) -> Kinds:
        """The kinds of an expression."""
        variable = self._source.variable(node)
        if variable is not None:
            return self.kinds.get(variable, Kinds())
        match node:
            case ast.BoolOp(values=values):
                return union(map(self.of, values))
            case ast.IfExp(body=one, orelse=other):
                return self.of(one) | self.of(other)
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return TRUTH
            case ast.BinOp(left=one, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=other):
                return TRUTH if self.of(one) == self.of(other) == TRUTH else NUMBER
            case ast.BinOp() | ast.UnaryOp():
                return NUMBER
            case ast.Call(func=function):
                return self._of_call(node, function)
            case ast.Subscript(value=table):
                value = self._source.constant(table)
                return self._of_values(node, value.values() if isinstance(value, dict) else value)
        return self._of_values(node, [self._source.evaluate(node)])

    def _check_field(self, node: ast.AST) -> None:
        record, _, field = (self._source.variable(node) or "").partition(".")
        if field and f"{record}.{field}" not in self.kinds and isinstance(node, ast.expr):
            known = sorted({each for kind in self.kinds[record].records for each in self.fields(kind, node.lineno)})
            self._source.refuse(node, f"{record!r} has no field {field!r}", f"the fields are {', '.join(known)}")

    def _of_call(self, node: ast.expr, function: ast.expr) -> Kinds:
        called = self._source.constant(function)
        if called in (min, max, abs, len):
            return NUMBER
        try:
            return kinds_of_hint(hints_of(called, {})["return"])
        except (KeyError, AttributeError):
            self._source.refuse(
                node, f"the result of {ast.unparse(function)} has no type", "give the function a return type"
            )
        except TypeError as error:
            self._source.refuse(node, str(error))

    def _of_values(self, node: ast.expr, values: Iterable[Any]) -> Kinds:
        try:
            return union(map(kinds_of_value, values))
        except TypeError as error:
            self._source.refuse(node, str(error))

    def _check_order(self, node: ast.AST) -> None:
        if isinstance(node, ast.Compare) and any(
            isinstance(each, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for each in node.ops
        ):
            for side in (node.left, *node.comparators):
                if self.of(side).records:
                    self._source.refuse(
                        node,
                        f"{ast.unparse(side)!r} is a reference, which has no order",
                        "compare fields of the records",
                    )
