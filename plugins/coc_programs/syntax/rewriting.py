"""Statements and expressions of an author's, rewritten in simpler ones."""

import ast
from collections.abc import Mapping
from typing import Any

from coc_programs.syntax.hints import Hints
from coc_programs.syntax.source import Source


class Replaced(ast.NodeTransformer):
    """Puts constants in place of the variables of a loop that is unrolled."""

    def __init__(self, values: Mapping[str, Any], source: Source) -> None:
        self._values, self._source = values, source

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id not in self._values:
            return node
        if isinstance(node.ctx, ast.Store):
            self._source.refuse(node, f"the loop's variable {node.id!r} is assigned to", "use another variable")
        return ast.copy_location(ast.Constant(self._values[node.id]), node)


class Casts(ast.NodeTransformer):
    """Puts a cast around a field that holds a record of any class, where it is known of which class this is."""

    def __init__(self, hints: Hints, source: Source) -> None:
        self._hints, self._source = hints, source

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and self._source.variable(node) is not None:
            hint = self._hints.cast(node)
            return node if hint is None else self._source.cast(node, hint)
        return node if self._source.class_test(node) else self.generic_visit(node)


def walk(loop: ast.For, at: str, here: str, link: str) -> ast.While:
    """Return a loop over records with `while`; `at` refers to the next one, which is read as `here`.

    They are a chain with this link; without one, a list of the library, which ends with a record that has no `next`.
    """
    if link:
        text = f"while {at}:\n    {here} = yield __read({at})\n    {at} = {here}.{link}"
    else:
        text = f"while True:\n    {here} = yield __read({at})\n    if not {here}.next:\n        break\n"
        text += f"    {ast.unparse(loop.target)} = {here}.first\n    {at} = {here}.next"
    (found,) = ast.parse(text).body
    assert isinstance(found, ast.While)
    for node in ast.walk(found):
        ast.copy_location(node, loop)
        if isinstance(node, ast.Name) and node.id == at:
            node.is_temporary = True  # type: ignore[attr-defined]
    found.body += loop.body
    found.orelse = loop.orelse
    return found


def has(node: ast.AST, kind: type[ast.AST]) -> bool:
    """Return whether there is a node of a kind in an expression."""
    return any(isinstance(each, kind) for each in ast.walk(node))
