"""A compiled program as plain data, which a certificate carries: another program can then take its steps."""

import ast
import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from itertools import product
from typing import Any, NoReturn

from coc_core.domain import Domain
from coc_core.text import Codec, Form
from coc_programs import (
    Assign,
    Branch,
    CallProcedure,
    Code,
    Compiled,
    Emit,
    Expression,
    Jump,
    Kinds,
    MakeRecord,
    ReadRecord,
    Return,
    Store,
)

Data = Any
"""Lists, objects, texts, whole numbers, true, false and null."""

_MOST_VALUES = 4096  # that the arguments of a helper function may have together
_FIELD = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_PROBED = (1, 2, 10, 305)  # numbers of things, to see how a codec writes their names
_BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


def program_data(domain: Domain[Any, Any, Any, Any], compiled: Compiled) -> Data:
    """Return a program as data; PluginError, which names the line, for an expression that can't be data."""
    kinds = {kind.letters: _fields(fields) for kind, fields in compiled.records.items()}
    return {
        "classes": kinds,
        "procedures": [_Writer(domain, code).data() for code in compiled.codes.values()],
    }


def _fields(kinds: Mapping[str, Kinds]) -> Data:
    return {name: _kinds(each) for name, each in kinds.items()}


def _kinds(kinds: Kinds) -> Data:
    """Return what values there are: the texts of words, the letters of records, the least and the largest number."""
    words = sorted(map(kinds.codec.format, kinds.words))
    letters = sorted(kind.letters for kind in kinds.records)
    return {"words": words, "records": letters, "numbers": list(kinds.numbers or ())}


class _Writer:
    """Writes one procedure."""

    def __init__(self, domain: Domain[Any, Any, Any, Any], code: Code) -> None:
        self._domain, self._code = domain, code
        self._source = code.source

    def data(self) -> Data:
        """Return the procedure."""
        code = self._code
        results = list(map(_kinds, code.signature.results))
        return {
            "name": code.procedure.name,
            "arguments": _fields(code.signature.arguments),
            "result": results[0] if len(results) == 1 else results or None,
            "operations": [self._operation(index, each) for index, each in enumerate(code.operations)],
        }

    def _operation(self, index: int, operation: Any) -> Data:
        match operation:
            case Assign(values=values):
                return ["assign", self._expressions(values)]
            case Jump(to=to):
                return ["jump", to]
            case Branch(test=test, otherwise=otherwise):
                return ["branch", self._of(test.node), otherwise]
            case Emit(value=value):
                return ["emit", self._emission(value.node)]
            case Store(record=record, fields=fields):
                return ["write", self._of(record.node), self._expressions(fields)]
            case Return(values=values):
                results = [None if each is None else self._of(each.node) for each in values]
                return ["return", ["results", *results] if len(results) > 1 else results[0]]
        variables = self._code.places[operation.label].variables
        shown = [operation.target, _fields({name: self._code.typing.kinds[name] for name in variables})]
        match operation:
            case ReadRecord(record=record):
                (kind,) = self._code.typing.of(record.node).records
                return ["read", *shown, self._of(record.node), kind.letters]
            case MakeRecord(kind=kind, fields=fields):
                return ["new", *shown, kind.letters, self._expressions(fields)]
            case CallProcedure(procedure=procedure, arguments=arguments):
                given = [self._of(each.node) for each in arguments]
                return ["call", *shown, procedure.name, given, index in self._code.tails]

    # ── expressions ───────────────────────────────────────────────────────────────────────────────────────────────

    def _expressions(self, expressions: Mapping[str, Expression]) -> Data:
        return {name: self._of(each.node) for name, each in expressions.items()}

    def _of(self, node: ast.expr) -> Data:
        variable = self._source.variable(node)
        if variable is not None:
            return ["variable", variable]
        if not self._source.varies(node):
            return ["value", self._plain(node, self._source.evaluate(node))]
        if by_class := self._source.class_test(node):
            is_cast, tested, kinds = by_class
            known = kinds.records if is_cast else self._code.typing.of(tested).records
            letters = sorted(each.letters for each in known if issubclass(each, tuple(kinds.records)))
            return ["cast" if is_cast else "isinstance", self._of(tested), [*letters, *"-" * (None in kinds.words)]]
        match node:
            case ast.BoolOp(op=operator, values=values):
                return ["and" if isinstance(operator, ast.And) else "or", *map(self._of, values)]
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ["not", self._of(operand)]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return ["-", ["value", 0], self._of(operand)]
            case ast.IfExp(test=test, body=one, orelse=other):
                return ["if", *map(self._of, (test, one, other))]
            case ast.Compare(left=left, ops=operators, comparators=others):
                rest = [self._compared(*each) for each in zip(operators, others, strict=True)]
                return ["compare", self._of(left), *rest]
            case ast.BinOp(op=operator, left=left, right=right) if type(operator) in _BINARY:
                return [_BINARY[type(operator)], self._of(left), self._of(right)]
            case ast.Subscript(value=value, slice=index) if not self._source.varies(value):
                return self._table(node, self._source.evaluate(value), index)
            case ast.Call(func=function, args=arguments) if not self._source.varies(function):
                return self._called(node, self._source.evaluate(function), arguments)
            case ast.Attribute(value=value, attr="number"):
                return ["number", self._of(value)]
        return self._refuse(node)

    def _refuse(self, node: ast.expr, why: str = "", remedy: str = "use variables, fields and constants") -> NoReturn:
        text = ast.unparse(node)
        self._source.refuse(node, f"a certificate can't carry {text!r}{why and ', '}{why}", remedy)

    def _plain(self, node: ast.expr, value: Any) -> Data:
        if isinstance(value, Enum):
            return Kinds(frozenset({value})).codec.format(value)
        if value is not None and type(value) not in (bool, int, str):
            self._refuse(node)
        return value

    def _compared(self, operator: ast.cmpop, other: ast.expr) -> Data:
        name = _COMPARED[type(operator)]
        if name not in ("in", "not in"):
            return [name, self._of(other)]
        if isinstance(other, ast.Tuple):
            return [name, [self._of(each) for each in other.elts]]
        values = None if self._source.varies(other) else self._source.evaluate(other)
        if not isinstance(values, tuple | list | set | frozenset | dict):
            self._refuse(other)
        return [name, [["value", self._plain(other, each)] for each in values]]

    def _table(self, node: ast.expr, values: Any, index: ast.expr) -> Data:
        if isinstance(values, tuple | list):
            values = {place: values[place] for place in range(-len(values), len(values))}
        if not isinstance(values, dict):
            self._refuse(node)
        entries = [[self._plain(node, key), self._plain(node, value)] for key, value in values.items()]
        return ["table", entries, self._of(index)]

    def _called(self, node: ast.Call, function: Any, arguments: Sequence[ast.expr]) -> Data:
        if function in (min, max, abs) and not node.keywords and (len(arguments) > 1 or function is abs):
            return [function.__name__, *map(self._of, arguments)]
        given = [*arguments, *(each.value for each in node.keywords)]
        named = [each.arg for each in node.keywords if each.arg]
        columns = [values for values in map(self._values, given) if values is not None]
        if len(columns) != len(given) or len(named) != len(node.keywords):
            self._refuse(node, "a helper function of references or of many numbers", "write it as a procedure")
        if math.prod(map(len, columns)) > _MOST_VALUES:
            self._refuse(node, f"a helper function of more than {_MOST_VALUES:,} values", "write it as a procedure")
        entries, places = list[Data](), len(arguments)
        for row in product(*columns):
            try:
                value = function(*row[:places], **dict(zip(named, row[places:], strict=True)))
            except Exception:  # as a step with these values fails
                continue
            entries.append([self._plain(node, each) for each in (*row, value)])
        return ["table", entries, *map(self._of, given)]

    def _values(self, node: ast.expr) -> Sequence[Any] | None:
        """Return the values that an expression may have; None if there are references or too many numbers."""
        kinds: Kinds = self._code.typing.of(node)
        low, high = kinds.numbers or (0, -1)
        if kinds.records or not high - low < _MOST_VALUES:
            return None
        return [*sorted(kinds.words, key=repr), *range(int(low), int(high) + 1)]

    # ── actions and notes ─────────────────────────────────────────────────────────────────────────────────────────

    def _emission(self, node: ast.expr) -> Data:
        """Return the parts of the text of an action or a note: texts, and values with how they are written."""
        domain = self._domain
        if not self._source.varies(node):
            value = self._source.evaluate(node)
            return [f"OUTPUT {domain.actions.format(value)}" if value in domain.actions else domain.notes.format(value)]
        function = node.func if isinstance(node, ast.Call) else node
        kind: Any = None if self._source.varies(function) else self._source.evaluate(function)
        forms: dict[Any, Form[Any]] = {form.record: form for form in (*domain.notes, *domain.actions)}
        if not isinstance(node, ast.Call) or kind not in forms:
            self._refuse(node, "which is not a new action or note", "yield Class(...)")
        bound = inspect.signature(kind).bind(*node.args, **{each.arg or "": each.value for each in node.keywords})
        bound.apply_defaults()
        form, is_action = forms[kind], any(form.record is kind for form in domain.actions)
        texts = _FIELD.split(form.template.text)
        parts: list[Data] = [("OUTPUT " if is_action else "") + texts[0].format()]
        for name, text in zip(texts[1::2], texts[2::2], strict=True):
            parts += [self._written(bound.arguments[name], form.codecs[name]), text.format()]
        return parts

    def _written(self, node: Any, codec: Codec[Any]) -> Data:
        """Return an expression: what stands before a value's text, and the texts of values written otherwise."""
        if not isinstance(node, ast.expr):  # a default
            return codec.format(node)
        if not self._source.varies(node):
            return codec.format(self._source.evaluate(node))
        if isinstance(node, ast.Attribute) and node.attr == "number":
            return [self._of(node), self._before(node, codec, int), {}]
        kinds: Kinds = self._code.typing.of(node)
        before = "".join({self._before(node, codec, kind.at) for kind in kinds.records})
        values = self._values(node) or () if not kinds.records else sorted(kinds.words, key=repr)
        texts = {kinds.codec.format(value): codec.format(value) for value in values}
        return [self._of(node), before, {key: text for key, text in texts.items() if text != before + key}]

    def _before(self, node: ast.expr, codec: Codec[Any], made: Callable[[int], Any]) -> str:
        """Return what stands before the text of a number or a reference."""
        try:
            texts = {(codec.format(made(number)), str(made(number))) for number in _PROBED}
        except ValueError as error:
            self._refuse(node, f"since {error}", "pass what the action takes")
        (before, *others) = {text.removesuffix(own) if text.endswith(own) else None for text, own in texts}
        if before is None or others:
            self._refuse(node, "whose text is not that of a name", "use the codec of a name")
        return before
