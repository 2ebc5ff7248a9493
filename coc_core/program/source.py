"""Reading a procedure's source: its syntax tree, its expressions, and errors that name a line."""

import ast
import builtins
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn

from attrs import field, frozen

from coc_core.errors import PluginError
from coc_core.program.language import Procedure, chain, new, read, write


class Source:
    """The source of one procedure.

    Attributes:
        tree: The syntax tree of the function.
        names: What the names mean that are not its variables.
        variables: The names of its arguments and local variables.
    """

    def __init__(self, procedure: Procedure) -> None:
        function = procedure.function
        self.procedure = procedure
        self.file = Path(function.__code__.co_filename).name
        self.names: Mapping[str, Any] = {**vars(builtins), **function.__globals__}
        line = function.__code__.co_firstlineno
        try:
            lines, line = inspect.getsourcelines(function)
            tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
        except (OSError, SyntaxError, IndexError) as error:
            raise self.error(line, f"the source can't be read ({error})", "define it in a file, with `def`") from None
        ast.increment_lineno(tree, line - 1)
        if not isinstance(tree, ast.FunctionDef):
            self.refuse(line, "only a plain `def` can be a procedure", "write it as a generator function")
        if not inspect.isgeneratorfunction(function):
            self.refuse(tree, "there is no `yield` in it", "make it a helper function, without `@procedure`")
        self.tree = tree
        self.variables = function.__code__.co_varnames
        self._check_signature()

    def error(self, line: int, problem: str, remedy: str = "") -> PluginError:
        """An error that names a line."""
        return PluginError(f"{self.file}, line {line}, in {self.procedure.name}: {problem}", remedy=remedy)

    def refuse(self, where: int | ast.AST, problem: str, remedy: str = "") -> NoReturn:
        """Raise the error of a line, or of a node's."""
        raise self.error(where if isinstance(where, int) else where.lineno, problem, remedy)  # type: ignore[attr-defined]

    def _check_signature(self) -> None:
        given, function = self.tree.args, self.procedure.function
        if function.__code__.co_freevars:
            name = function.__code__.co_freevars[0]
            self.refuse(
                self.tree,
                f"it is a closure: {name!r} is a variable of the function around it",
                "pass it as an argument, or make it global",
            )
        if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults:
            self.refuse(self.tree, "its arguments must be plain, without defaults and stars", "name each argument")
        for argument in given.args:
            if "__" in argument.arg:
                self.refuse(
                    argument, f"the argument {argument.arg!r} has two underscores in a row", "choose another name"
                )
            if argument.annotation is None:
                self.refuse(argument, f"the argument {argument.arg!r} has no type", "give it a type hint")

    def constant(self, node: ast.expr) -> Any:
        """The value of an expression without variables, for a loop that is unrolled; None if it has some."""
        if any(isinstance(each, ast.Name) and each.id in self.variables for each in ast.walk(node)):
            return None
        return self.evaluate(node)

    def evaluate(self, node: ast.expr) -> Any:
        """The value of an expression without variables."""
        try:
            return eval(compile(ast.Expression(node), self.file, "eval"), dict(self.names))
        except Exception as error:
            self.refuse(
                node,
                f"{ast.unparse(node)!r} can't be computed ({type(error).__name__}: {error})",
                "use constants of the module",
            )

    def meaning(self, node: ast.expr) -> Any:
        """What a name of the module means, or an attribute of one; None for anything else."""
        name = node
        while isinstance(name, ast.Attribute):
            name = name.value
        return self.constant(node) if isinstance(name, ast.Name) and name.id in self.names else None

    def expression(self, node: ast.expr) -> "Expression":
        """Compile an expression; a field of a record is a variable of its own, such as `cell.next`."""
        used = dict[str, None]()
        for each in _outermost(node, self.variable):
            name = self.variable(each)
            if name is not None:
                used[name] = None
            else:
                self._check(each)
        changed = _Fields(self.variable).visit(copy.deepcopy(node))
        located = ast.fix_missing_locations(ast.Expression(changed))
        return Expression(compile(located, self.file, "eval"), tuple(used), node, node.lineno)

    def variable(self, node: ast.AST) -> str | None:
        """The name of the variable that a node is: `cell`, or `cell.next`; also for `getattr(cell, "next")`."""
        match node:
            case ast.Name(id=name) if name in self.variables:
                return name
            case ast.Attribute(value=ast.Name(id=name), attr=field) if name in self.variables and field != "number":
                return f"{name}.{field}"
            case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id=name), ast.Constant(value=str(field))]) if (
                name in self.variables
            ):
                return f"{name}.{field}"
        return None

    def _check(self, node: ast.AST) -> None:
        """Refuse what an expression can't be."""
        match node:
            case ast.Name(id=name) if name not in self.names:
                self.refuse(node, f"the name {name!r} is unknown here", "define it in the module, or assign it first")
            case ast.Attribute(value=value, attr=field) if self.variable(value) is not None and field != "number":
                text = ast.unparse(value)
                self.refuse(node, f"{text!r} has not been read", f"write `found = yield read({text})` first")
            case ast.Call(func=function) if self.meaning(function) in (read, write, new) or isinstance(
                self.meaning(function), Procedure
            ):
                text = ast.unparse(node)
                self.refuse(node, f"{text!r} does nothing without `yield`", f"write `(yield {text})`")
            case ast.Call(func=function) if self.meaning(function) in (chain, getattr):
                remedy = 'write `for each in chain(first, "next")`, and `getattr(x, "field")` with a constant'
                self.refuse(node, f"{ast.unparse(node)!r} can't be compiled", remedy)
            case ast.Call(func=function) if inspect.isgeneratorfunction(self.meaning(function)):
                self.refuse(node, f"{ast.unparse(function)!r} is no procedure", "decorate it with `@procedure`")
            case ast.YieldFrom(value=value):
                self.refuse(node, "`yield from` can't be compiled", f"write `yield {ast.unparse(value)}`")
            case ast.Yield():
                self.refuse(node, "`yield` stands in the middle of an expression", "give it a line of its own")
            case ast.Compare(ops=operators, comparators=others, left=left):
                for operator, one, other in zip(operators, [left, *others], others, strict=False):
                    no_none = not any(isinstance(each, ast.Constant) and each.value is None for each in (one, other))
                    if isinstance(operator, ast.Is | ast.IsNot) and no_none:
                        self.refuse(node, "`is` compares objects, and references are not objects", "use `==` or `!=`")
            case _ if not isinstance(node, _ALLOWED):
                what = _REFUSED.get(type(node), type(node).__name__)
                self.refuse(node, f"{what} can't be compiled", "write a helper function without `yield`")


_ALLOWED = (
    ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.keyword, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare,
    ast.IfExp, ast.Tuple, ast.Subscript, ast.boolop, ast.unaryop, ast.operator, ast.cmpop, ast.expr_context,
)  # fmt: skip
_REFUSED: Mapping[type[ast.AST], str] = {
    ast.Lambda: "a lambda", ast.JoinedStr: "an f-string", ast.NamedExpr: "`:=`", ast.Starred: "`*`",
    ast.Slice: "a slice", ast.List: "a list", ast.Set: "a set", ast.Dict: "a dict", ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension", ast.DictComp: "a comprehension", ast.GeneratorExp: "a generator expression",
}  # fmt: skip


@frozen
class Expression:
    """An expression of a program.

    Attributes:
        variables: The variables that it uses, in order.
        node: Its syntax tree, as it was written.
    """

    _code: CodeType = field(eq=False)
    variables: tuple[str, ...]
    node: ast.expr = field(eq=False)
    line: int

    @property
    def numbers(self) -> bool:
        """Whether it has the number of a record, which no step may depend on."""
        return any(isinstance(each, ast.Attribute) and each.attr == "number" for each in ast.walk(self.node))

    def __str__(self) -> str:
        is_temporary = self.is_variable and self.variables[0][:1] == "_" and self.variables[0][1:].isdigit()
        return "what is read" if is_temporary else repr(ast.unparse(self.node))

    @property
    def is_variable(self) -> bool:
        """Whether it is a variable and nothing else."""
        return isinstance(self.node, ast.Name) and self.variables == (self.node.id,)

    def value(self, names: dict[str, Any], variables: Mapping[str, Any]) -> Any:
        """Its value."""
        return eval(self._code, names, variables)


def _outermost(node: ast.AST, is_leaf: Callable[[ast.AST], Any]) -> Iterator[ast.AST]:
    """The nodes below one, and itself, but none below a leaf."""
    yield node
    if is_leaf(node) is None:
        for child in ast.iter_child_nodes(node):
            yield from _outermost(child, is_leaf)


class _Fields(ast.NodeTransformer):
    def __init__(self, variable: Callable[[ast.AST], str | None]) -> None:
        self.variable = variable

    def visit(self, node: ast.AST) -> Any:
        name = self.variable(node)
        return self.generic_visit(node) if name is None else ast.Name(name, ast.Load())
