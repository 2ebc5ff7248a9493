"""The kinds of a procedure's variables, as they follow from its operations."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any

from attrs import frozen

from coc_programs import operations as ops
from coc_programs.flow import expressions_of, reachable
from coc_programs.kinds import (
    NOTHING,
    NUMBER,
    TRUTH,
    Kinds,
    field_kinds,
    hints_of,
    hints_of_results,
    kinds_of_hint,
    kinds_of_value,
    union,
)
from coc_programs.language import Procedure
from coc_programs.record import Record
from coc_programs.syntax.body import Body
from coc_programs.syntax.rewriting import has
from coc_programs.syntax.source import Expression, Source


@frozen
class Signature:
    """The kinds of a procedure's arguments, in order, and of its results."""

    arguments: dict[str, Kinds]
    results: tuple[Kinds, ...]

    @property
    def returns(self) -> bool:
        """Whether it has a result."""
        return self.results != ()

    @classmethod
    def of(cls, source: Source) -> "Signature":
        """Return the signature that the type hints say."""
        procedure = source.procedure
        with source.refusing(source.tree):
            hints = hints_of(procedure.function)
            arguments = {name: kinds_of_hint(hints[name]) for name in procedure.parameters}
            return cls(arguments, tuple(map(kinds_of_hint, hints_of_results(procedure.function))))


def _is_record(value: Any) -> bool:
    return isinstance(value, Record) or (isinstance(value, type) and issubclass(value, Record))


class Typing:
    """The kinds of the variables of one procedure.

    Attributes:
        kinds: The kinds of each variable, and of each field of a record that is read, such as `cell.next`.
    """

    def __init__(self, body: Body, signatures: Mapping[Procedure, Signature]) -> None:
        self._body, self._source, self._signatures = body, body.source, signatures
        self._signature = signatures[body.source.procedure]
        self._declared = {**self._signature.arguments, **self._annotated()}
        self.kinds: dict[str, Kinds] = defaultdict(Kinds, self._declared)  # none have those of what never runs
        before: dict[str, Kinds] | None = None
        while before != self.kinds:
            before = dict(self.kinds)
            for operation in body.operations:
                self._infer(operation)
        for index in reachable(body):
            self._check(body.operations[index])

    def fields(self, record: type[Record], line: int) -> dict[str, Kinds]:
        """Return the kinds of the fields of a class of records."""
        with self._source.refusing(line):
            return field_kinds(record)  # type: ignore[arg-type]  # a class can be hashed

    def _annotated(self) -> dict[str, Kinds]:
        found = dict[str, Kinds]()
        for node in ast.walk(self._source.tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                name, kinds = node.target.id, self._source.hinted(node.annotation)
                before = (self._signature.arguments | found).get(name, kinds)
                if before != kinds:
                    self._source.refuse(node, f"{name!r} is {before} elsewhere", "give it one type")
                found[name] = kinds
        return found

    def _infer(self, operation: ops.Operation) -> None:
        if isinstance(operation, ops.Assign):
            for name, value in operation.values.items():
                self._add(name, self.of(value.node))
        elif isinstance(operation, ops.CallProcedure) and operation.parts:
            for name, kinds in zip(operation.parts, self._signatures[operation.procedure].results, strict=True):
                self._add(name, kinds)
        elif isinstance(operation, ops.Wait) and operation.target is not None:
            given = self._given(operation)
            self._add(operation.target, given)
            for kind in () if isinstance(operation, ops.CallProcedure) else given.records:
                for name, kinds in self.fields(kind, operation.line).items():
                    self._add(f"{operation.target}.{name}", kinds)

    def _given(self, operation: ops.Wait) -> Kinds:
        """Return the kinds of what the next step is given."""
        match operation:
            case ops.ReadRecord(record=record):
                return Kinds(records=self.of(record.node).records)
            case ops.MakeRecord(kind=kind):
                return Kinds(records=frozenset({kind}))
            case ops.CallProcedure(procedure=procedure):
                return next(iter(self._signatures[procedure].results), NOTHING)
        raise AssertionError(operation)

    def _add(self, name: str, kinds: Kinds) -> None:
        if name not in self._declared:
            self.kinds[name] = self.kinds.get(name, Kinds()) | kinds

    def _check(self, operation: ops.Operation) -> None:
        line, source = operation.line, self._source
        for expression in expressions_of(operation):
            made = isinstance(operation, ops.Emit) and operation.made
            self._check_use(expression.node, made=expression.node if made else None)
        if isinstance(operation, ops.Wait) and operation.target in self._declared:
            name = operation.target
            self._compare(line, f"what {name!r} gets", self._given(operation), self._declared[name], "it")
        match operation:
            case ops.Assign(values=values):
                for name, value in values.items():
                    values[name] = self._fits(value, self._declared.get(name), f"the variable {name!r}")
            case ops.ReadRecord(record=record):
                self._only_class(record)
            case ops.Store(record=record, fields=fields):
                self._check_fields(line, self._only_class(record), fields)
            case ops.MakeRecord(kind=kind, fields=fields):
                self._check_fields(line, kind, fields)
            case ops.CallProcedure(procedure=procedure, arguments=arguments, target=target):
                signature = self._signatures[procedure]
                given = zip(signature.arguments.items(), arguments, strict=True)
                operation.arguments = tuple(
                    self._fits(argument, kinds, f"the argument {name!r} of {procedure.name}")
                    for (name, kinds), argument in given
                )
                if target is not None and not signature.returns:
                    problem = f"{procedure.name} has no result"
                    source.refuse(line, problem, "give it a return type, or call it on a line of its own")
            case ops.Return(values=results):
                found = self._checked_results(line, [each for each in results if each is not None])
                operation.values = tuple(found) or (None,)

    def _checked_results(self, line: int, values: Sequence[Expression]) -> Sequence[Expression]:
        expected, name = self._signature.results, self._source.procedure.name
        if values and not expected:
            kinds = ", ".join(str(self.of(each.node)) for each in values)
            problem = f"{name} returns {kinds} here, and its return type is None or missing"
            self._source.refuse(line, problem, "write `-> Steps[...]`, with its type")
        if not values and expected and (len(expected) > 1 or None not in expected[0].words):
            problem = f"{name} may end here without a result, which is {', '.join(map(str, expected))}"
            self._source.refuse(line, problem, "return one, or add `| None` to the return type")
        if len(values) > 1 and len(values) != len(expected):
            problem = f"{name} returns {len(values)} results here, and its return type has {len(expected)}"
            self._source.refuse(line, problem, "write `-> Steps[tuple[...]]`, with a type for each")
        pairs = zip(values, expected, strict=False)
        return [self._fits(value, kinds, "the result") for value, kinds in pairs]

    def _only_class(self, record: Expression) -> type[Record]:
        """Return the class of the record that an expression refers to."""
        kinds = self.of(record.node)
        if len(kinds.records) != 1 or Record in kinds.records or kinds.numbers or kinds.words - {None}:
            remedy = "write `cast(Class, ...)`" if kinds.records else "give it a type hint"
            self._source.refuse(record.line, f"{record} is {kinds}, not a reference to one class of records", remedy)
        return next(iter(kinds.records))

    def _check_fields(self, line: int, record: type[Record], fields: dict[str, Expression]) -> None:
        kinds = self.fields(record, line)
        for name, value in fields.items():
            if name not in kinds:
                problem = f"{record.__name__} has no field {name!r}"
                self._source.refuse(line, problem, f"the fields are {', '.join(kinds)}")
            fields[name] = self._fits(value, kinds[name], f"the field {name!r} of {record.__name__}")

    def _fits(self, value: Expression, expected: Kinds | None, what: str) -> Expression:
        """Return an expression for what has some kinds: a variable of any record is taken for one of the class."""
        found = self.of(value.node)
        is_reference = found.is_any and found.words <= {None} and self._source.variable(value.node)
        if expected is not None and is_reference and len(expected.records - {Record}) == 1:
            kind: Any = next(iter(expected.records))
            return self._source.expression(self._source.cast(value.node, kind | None))
        if expected is not None:
            self._compare(value.line, repr(ast.unparse(value.node)), found, expected, what)
        return value

    def _compare(self, line: int, name: str, found: Kinds, expected: Kinds, what: str) -> None:
        if not expected.accepts(found):
            remedy = "change the one or the type of the other, and use a variable for each type"
            self._source.refuse(line, f"{name} is {found}, and {what} is {expected}", remedy)

    def of(self, node: ast.expr) -> Kinds:
        """Return the kinds of an expression."""
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
            case ast.BinOp() | ast.UnaryOp() if not (self._source.varies(node) or has(node, ast.Call)):
                return self._of_values(node, self._values(node))
            case ast.BinOp(op=ast.Div() | ast.MatMult()):
                self._source.refuse(node, f"{ast.unparse(node)!r} may be no whole number", "write `//`")
            case ast.BinOp(left=one, right=other) if any(self.of(each) == NOTHING for each in (one, other)):
                self._source.refuse(node, f"{ast.unparse(node)!r} computes with None", "use numbers and bools")
            case ast.BinOp(left=one, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=other):
                return TRUTH if self.of(one) == self.of(other) == TRUTH else NUMBER
            case ast.BinOp() | ast.UnaryOp():
                return NUMBER
            case ast.Call():
                return self._of_call(node)
            case ast.Tuple() if self._source.varies(node):
                self._source.refuse(node, f"{ast.unparse(node)!r} has several values", "use a variable for each")
        return self._of_values(node, self._values(node))

    def _values(self, node: ast.expr) -> list[Any]:
        """Return the values of a constant, or of a place in a table of constants."""
        if not self._source.varies(node):
            return [self._source.evaluate(node)]
        tables: list[Any] = self._values(node.value) if isinstance(node, ast.Subscript) else [None]
        if not all(hasattr(each, "__getitem__") for each in tables):
            remedy = "look it up in a tuple or a dict of the module"
            self._source.refuse(node, f"{ast.unparse(node)!r} is not a table of constants", remedy)
        return [value for each in tables for value in (each.values() if isinstance(each, dict) else each)]

    def _check_field(self, node: ast.AST, variable: str) -> None:
        record, _, field = variable.partition(".")
        if field and variable not in self.kinds and isinstance(node, ast.expr):
            known = sorted({each for kind in self.kinds[record].records for each in self.fields(kind, node.lineno)})
            self._source.refuse(node, f"{record!r} has no field {field!r}", f"the fields are {', '.join(known)}")

    def _of_call(self, node: ast.Call) -> Kinds:
        called, name = self._source.constant(node.func), ast.unparse(node.func)
        if (test := self._source.class_test(node)) and test[0]:
            return test[2]
        if called in (min, max):
            found = union(map(self.of, node.args if len(node.args) > 1 else ()))
            return found if found.words - {True, False} else NUMBER | found
        for functions, kinds in _RESULTS:
            if any(called is each for each in functions):
                return kinds
        try:
            with self._source.refusing(node):
                found = kinds_of_hint(hints_of(called)["return"])
        except (KeyError, AttributeError):
            remedy = "give the function a return type"
            if not isinstance(called, FunctionType):
                remedy = "leave it out, or call it in a helper function that returns one value, with its type"
            self._source.refuse(node, f"the result of {name} has no type", remedy)
        if found.records:
            self._source.refuse(node, f"the result of {name} is {found}", "write a procedure that returns the record")
        return found

    def _of_values(self, node: ast.expr, values: Iterable[Any]) -> Kinds:
        with self._source.refusing(node):
            return union(map(kinds_of_value, values))

    def _check_use(self, node: ast.AST, is_free: bool = True, made: ast.AST | None = None) -> None:
        """Refuse what depends on which record a reference means; `made` makes an action or a note, which may."""
        variable = self._source.variable(node)
        if variable is not None:
            self._check_field(node, variable)
            if not is_free and self.kinds.get(variable, Kinds()).records:
                problem = f"{variable!r} is a reference, which can only be stored, tested, and compared with `==`"
                self._source.refuse(node, problem, "use fields of the record, once it is read")
            return
        if test := self._source.class_test(node):
            is_cast, value, kinds = test
            if not (kinds.records and (self.of(value) | NOTHING).covers(kinds)):
                problem = f"{ast.unparse(value)!r} is {self.of(value)}, never {kinds}"
                self._source.refuse(node, problem, "name a class of those that its type has")
            if self.of(value).is_any and (not is_cast or len(kinds.records) > 1):
                problem = f"{ast.unparse(value)!r} is any record, and nothing shows of which class"
                self._source.refuse(node, problem, "cast it to one class, or store what it is beside it")
            self._check_use(value, is_free or not is_cast)
            return
        is_table = (isinstance(node, ast.Subscript) or not self._source.varies(node)) and not has(node, ast.Call)
        if isinstance(node, ast.expr) and is_table and any(map(_is_record, self._values(node))):
            problem = f"{ast.unparse(node)!r} is of the module, and programs know the records that they are given"
            self._source.refuse(node, problem, "give it as an argument, or store it in a record")
        match node:
            case ast.Attribute(attr="number") if self._source.varies(node):
                remedy = "give the record itself to an action or a note, or store a number in a field"
                self._source.refuse(node, "the number of a record is used", remedy)
            case ast.UnaryOp(op=ast.Not()):
                is_free = True
            case ast.Compare(ops=operators, comparators=others):
                same = all(isinstance(each, ast.Eq | ast.NotEq | ast.Is | ast.IsNot) for each in operators)
                is_free = same or (isinstance(operators[0], ast.In | ast.NotIn) and isinstance(others[0], ast.Tuple))
            case _ if not isinstance(node, ast.BoolOp | ast.IfExp | ast.Tuple | ast.keyword):
                is_free = node is made
        for child in ast.iter_child_nodes(node):
            is_number = isinstance(child, ast.Attribute) and child.attr == "number"
            if not (is_number and node is made):
                self._check_use(child, is_free or child is getattr(node, "test", None))


_RESULTS: Sequence[tuple[Sequence[Any], Kinds]] = (
    ((abs, len, int, pow, round, sum, ord), NUMBER),
    ((bool, any, all, isinstance), TRUTH),
)
"""What functions of Python return."""
