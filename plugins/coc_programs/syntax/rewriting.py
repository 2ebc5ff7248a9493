"""Statements and expressions of an author's, rewritten in simpler ones."""

import ast
from collections.abc import Callable
from typing import Any


class Rewriter(ast.NodeTransformer):
    """Puts what a function returns in place of each outermost node for which it does not return None."""

    def __init__(self, change: Callable[[Any], ast.AST | None]) -> None:
        self._change = change

    def visit(self, node: ast.AST) -> Any:
        found = self._change(node)
        return self.generic_visit(node) if found is None else found


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
