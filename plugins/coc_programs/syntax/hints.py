"""The values of variables, as far as type hints say them: those of `List[Number]`, where kinds say `List`."""

import ast
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from coc_programs import language
from coc_programs.functions.values import Values
from coc_programs.kinds import TRUTH, hints_of, hints_of_results
from coc_programs.language import Procedure, new, read


class Hints:
    """The values of the variables and fields of a procedure, given its source."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def of(self, node: ast.expr) -> Values | None:
        """Return the values of an expression; None if they are not known."""
        if test := self._source.class_test(node):
            return _known(self._source.evaluated(node.args[0])) if test[0] else Values(TRUTH)  # type: ignore[attr-defined]
        if isinstance(node, ast.Yield):
            return next(iter(self.given(node)), None)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            return next((values for values in map(self.of, node.values) if values is not None), None)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Yield):
            return _of_field(self.of(node.value), node.attr)
        record, _, field = (self._source.variable(node) or "").partition(".")
        values = self._variables.get(record)
        return _of_field(values, field) if field else values

    def know(self, variable: str, values: Values | None) -> None:
        """Take the values of a variable that stands for one of the author's."""
        self._variables[variable] = values

    def results(self, procedure: Procedure, arguments: Mapping[str, ast.expr]) -> list[tuple[Values | None, bool]]:
        """Return the values of each result of a call, and whether they say more than the hint of the procedure."""
        hints, given = hints_of(procedure.function), dict[Any, Values]()
        for name, node in arguments.items():
            _match(hints[name], self.of(node), given)
        raw = hints_of_results(procedure.function)
        found = [_known(hint, given) for hint in raw]
        return [(values, values is not None and _is_free(hint)) for hint, values in zip(raw, found, strict=True)]

    def with_cast(self, node: Any) -> ast.AST | None:
        """Return a variable, with a cast if it is a field that holds a record of any class, and it is known of which
        class this is; a test of a class as it is; None for anything else.
        """
        variable = self._source.variable(node)
        if variable is None:
            return node if self._source.class_test(node) else None
        record, _, field = variable.partition(".")
        values = self._variables.get(record) if field else None
        found = _of_field(values, field)
        raw = [hints_of(kind).get(field) for kind, _ in values.classes] if values else []  # type: ignore[arg-type]
        if found is not None and len(found.classes) == 1 and any(map(_is_free, raw)):
            return self._source.cast(node, found)  # type: ignore[no-any-return]
        return node  # type: ignore[no-any-return]

    @cached_property
    def _variables(self) -> dict[str, Values | None]:
        source = self._source
        hints, bound = hints_of(source.procedure.function), source.procedure.bound
        found = {name: _known(hint) for name, hint in hints.items() if name != "return" and name not in bound}
        self.__dict__["_variables"] = found  # those of others follow from these
        statements = [node for node in ast.walk(source.tree) if isinstance(node, ast.Assign | ast.AnnAssign | ast.For)]
        for node in sorted(statements, key=lambda node: node.lineno):
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=hint):
                    found[name] = _known(source.evaluated(hint))
                case ast.For(target=ast.Name(id=name), iter=ast.Call(args=[items, *_]) as over):
                    meaning = source.called(over)
                    if meaning in (language.chain, language.each):
                        values = self.of(items)
                        found.setdefault(name, _of_field(values, "first") if meaning is language.each else values)
                case ast.Assign(targets=[target], value=value):
                    names = getattr(target, "elts", [target])
                    for name, values in zip(names, self.given(value), strict=False):
                        if values is not None:
                            found.setdefault(ast.unparse(name), values)
        return found

    def given(self, value: ast.expr) -> Sequence[Values | None]:
        """Return the values of each thing that an assignment gives."""
        if isinstance(value, ast.Tuple):
            return [self.of(each) for each in value.elts]
        if not isinstance(value, ast.Yield):
            return [self.of(value)]
        if not isinstance(call := value.value, ast.Call):
            return []
        meaning = self._source.called(call)
        if isinstance(meaning, Procedure):
            given = zip(meaning.parameters, call.args, strict=False)
            return [values for values, _ in self.results(meaning, dict(given))]
        if meaning in (new, read) and len(call.args) == 1:
            return [_known(self._source.evaluated(call.args[0])) if meaning is new else self.of(call.args[0])]
        return []


def _known(hint: Any, given: Mapping[Any, Values] = {}) -> Values | None:
    """Return the values of a hint; None if there are none, or a type variable in it is not known."""
    try:
        return hint if isinstance(hint, Values) else Values.of(hint, given)
    except TypeError:
        return None


def _of_field(values: Values | None, field: str) -> Values | None:
    """Return the values of a field of a record; None if they are not known."""
    for kind, given in values.classes if values is not None else ():
        if field in kind.field_names():
            hints = hints_of(kind)  # type: ignore[arg-type]  # a class can be hashed
            return _known(hints[field], dict(zip(getattr(kind, "__parameters__", ()), given, strict=False)))
    return None


def _is_free(hint: Any) -> bool:
    """Return whether there is a type variable in a hint."""
    return isinstance(hint, TypeVar) or bool(get_args(hint) and getattr(hint, "__parameters__", ()))


def _match(hint: Any, values: Values | None, given: dict[Any, Values]) -> None:
    """Find what the type variables of a hint stand for, so that it says these values."""
    if values is None:
        return
    if isinstance(hint, TypeVar):
        given.setdefault(hint, values)
        return
    known = dict(values.classes)
    for part in get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,):
        for one, its in zip(get_args(part), known.get(get_origin(part), ()), strict=False):
            _match(one, its, given)
