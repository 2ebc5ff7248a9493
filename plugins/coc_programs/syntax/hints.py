"""The type hints of variables, as far as they are known: `List[Number]`, where kinds say `List`."""

import ast
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar, Union, get_args, get_origin

from coc_programs import language
from coc_programs.kinds import hints_of, hints_of_results
from coc_programs.language import Procedure, new, read
from coc_programs.record import Record


class Hints:
    """The type hints of the variables and fields of a procedure, given its source."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def of(self, node: ast.expr) -> Any:
        """Return the hint of an expression; None if it is not known."""
        if test := self._source.class_test(node):
            return self._source.evaluated(node.args[0]) if test[0] else bool  # type: ignore[attr-defined]
        if isinstance(node, ast.Yield):
            return next(iter(self.given(node)), None)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            return next((hint for hint in map(self.of, node.values) if hint is not None), None)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Yield):
            return self.field(self.of(node.value), node.attr)
        record, _, field = (self._source.variable(node) or "").partition(".")
        hint = self._variables.get(record)
        return self.field(hint, field) if field else hint

    def know(self, variable: str, hint: Any) -> None:
        """Take the hint of a variable that stands for one of the author's."""
        self._variables[variable] = hint

    @staticmethod
    def field(hint: Any, field: str) -> Any:
        """Return the hint of a field of a record with a hint; None if it is not known."""
        for kind, given in _classes(hint):
            if field in kind.field_names():
                hints = hints_of(kind)  # type: ignore[arg-type]  # a class can be hashed
                return _with(hints[field], dict(zip(getattr(kind, "__parameters__", ()), given, strict=False)))
        return None

    def results(self, procedure: Procedure, arguments: Mapping[str, ast.expr]) -> list[tuple[Any, bool]]:
        """Return the hint of each result of a call, and whether it says more than that of the procedure."""
        hints, given = hints_of(procedure.function), dict[Any, Any]()
        for name, node in arguments.items():
            _match(hints[name], self.of(node), given)
        raw = hints_of_results(procedure.function)
        return [(_with(hint, given), bool(_free(hint)) and not _free(_with(hint, given))) for hint in raw]

    def with_cast(self, node: Any) -> ast.AST | None:
        """Return a variable, with a cast if it is a field that holds a record of any class, and it is known of which
        class this is; a test of a class as it is; None for anything else.
        """
        variable = self._source.variable(node)
        if variable is None:
            return node if self._source.class_test(node) else None  # type: ignore[no-any-return]
        record, _, field = variable.partition(".")
        hint = self._variables.get(record) if field else None
        for kind, _ in _classes(hint):
            found = self.field(hint, field)
            if found is not None and _free(self.field(kind, field)) and not _free(found) and len(_classes(found)) == 1:
                return self._source.cast(node, found)  # type: ignore[no-any-return]
        return node  # type: ignore[no-any-return]

    @cached_property
    def _variables(self) -> dict[str, Any]:
        source = self._source
        hints, bound = hints_of(source.procedure.function), source.procedure.bound
        found = {name: hint for name, hint in hints.items() if name != "return" and name not in bound}
        self.__dict__["_variables"] = found  # those of others follow from these
        statements = [node for node in ast.walk(source.tree) if isinstance(node, ast.Assign | ast.AnnAssign | ast.For)]
        for node in sorted(statements, key=lambda node: node.lineno):
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=hint):
                    found[name] = source.evaluated(hint)
                case ast.For(target=ast.Name(id=name), iter=ast.Call(args=[items, *_]) as over):
                    meaning = source.called(over)
                    if meaning in (language.chain, language.each):
                        hint = self.of(items)
                        found.setdefault(name, self.field(hint, "first") if meaning is language.each else hint)
                case ast.Assign(targets=[target], value=value):
                    names = getattr(target, "elts", [target])
                    for name, hint in zip(names, self.given(value), strict=False):
                        if hint is not None:
                            found.setdefault(ast.unparse(name), hint)
        return found

    def given(self, value: ast.expr) -> Sequence[Any]:
        """Return the hints of what an assignment gives."""
        if isinstance(value, ast.Tuple):
            return [self.of(each) for each in value.elts]
        if not isinstance(value, ast.Yield):
            return [self.of(value)]
        if not isinstance(call := value.value, ast.Call):
            return []
        meaning = self._source.called(call)
        if isinstance(meaning, Procedure):
            given = zip(meaning.parameters, call.args, strict=False)
            return [hint for hint, _ in self.results(meaning, dict(given))]
        if meaning in (new, read) and len(call.args) == 1:
            return [self._source.evaluated(call.args[0]) if meaning is new else self.of(call.args[0])]
        return []


def _classes(hint: Any) -> list[tuple[type[Record], tuple[Any, ...]]]:
    """Return the classes of records in a hint, each with its type arguments."""
    kind, arguments = get_origin(hint) or hint, get_args(hint)
    if isinstance(kind, type) and issubclass(kind, Record):
        return [(kind, arguments)]
    return [each for part in arguments for each in _classes(part)] if _is_union(hint) else []


def _is_union(hint: Any) -> bool:
    return get_origin(hint) is Union or type(hint).__name__ == "UnionType"


def _free(hint: Any) -> tuple[Any, ...]:
    """Return the type variables in a hint."""
    return (hint,) if isinstance(hint, TypeVar) else getattr(hint, "__parameters__", ()) if get_args(hint) else ()


def _with(hint: Any, given: Mapping[Any, Any]) -> Any:
    """Return a hint with other hints in place of type variables."""
    if isinstance(hint, TypeVar):
        return given.get(hint, hint)
    free = _free(hint)
    return hint[tuple(given.get(each, each) for each in free)] if free else hint


def _match(hint: Any, other: Any, given: dict[Any, Any]) -> None:
    """Find what the type variables of a hint stand for, so that it fits another."""
    if other is None:
        return
    if isinstance(hint, TypeVar):
        given.setdefault(hint, other)
        return
    known = dict(_classes(other))
    for kind, arguments in _classes(hint):
        for one, its in zip(arguments, known.get(kind, ()), strict=False):
            _match(one, its, given)
