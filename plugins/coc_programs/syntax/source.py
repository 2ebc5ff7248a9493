"""Reading a procedure's source: its syntax tree, its expressions, and errors that name a line."""

import ast
import copy
import inspect
import linecache
import warnings
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn, cast

from attrs import field, frozen

from coc_core.errors import PluginError
from coc_programs import language
from coc_programs.functions.values import Values
from coc_programs.kinds import Kinds, kinds_of_hint
from coc_programs.language import Procedure, new, read, write
from coc_programs.record import Record
from coc_programs.syntax.rewriting import Rewriter

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Source:
    """The source of one procedure.

    Attributes:
        tree: The syntax tree of the function.
        names: What the names mean that are not its variables, as Python finds them.
        variables: The names of its arguments and local variables.
        unrolled: What each loop over constants goes over, with its values.
    """

    def __init__(self, procedure: Procedure) -> None:
        if not isinstance(procedure, Procedure):
            raise PluginError("`main` is not a procedure", remedy="decorate a generator function with `@procedure`")
        function: Any = procedure.function  # mypy is of two minds about `__builtins__`
        code = function.__code__
        self.procedure = procedure
        self.file = Path(code.co_filename).name
        # names that no author writes
        self.generated: dict[str, Any] = {**procedure.bound, "__cast": cast, "__read": read}
        self.names: Mapping[str, Any] = ChainMap(self.generated, function.__globals__, function.__builtins__)
        linecache.checkcache(code.co_filename)
        place = code.co_firstlineno, code.co_name
        try:
            trees, codes = _functions("".join(linecache.getlines(code.co_filename, function.__globals__)))
            tree, read_code = trees[place], codes[place]
        except (SyntaxError, KeyError) as error:
            problem = f"the source can't be read ({type(error).__name__})"
            raise self.error(place[0], problem, "define it in a file, with `def`") from None
        if not isinstance(tree, ast.FunctionDef):
            self.refuse(tree, "only a plain `def` can be a procedure", "write it as a generator function")
        if _runs(read_code) != _runs(code):
            self.refuse(tree, "Python runs something else than this source", "import the file again as it is")
        self.tree = tree
        self.variables = tuple(name for name in (*code.co_varnames, *code.co_cellvars) if name not in procedure.bound)
        self.unrolled: list[tuple[ast.expr, list[Any]]] = []
        self._check_signature()
        nodes = [*tree.args.args, *(each for part in tree.body for each in ast.walk(part))]
        for node in nodes:
            for name in (getattr(node, each, None) or "" for each in ("id", "attr", "arg")):
                if not name.isascii() or (name.startswith("__") and not name.endswith("__")):
                    what = "begins with two underscores" if name.isascii() else "is not in ASCII"
                    self.refuse(node, f"the name {name!r} {what}", "choose another name")
        names = {each.id for each in nodes if isinstance(each, ast.Name)}
        self.mentioned = frozenset({*names, *self.variables})
        self._meant = {name: self.names[name] for name in names - {*self.variables} if name in self.names}

    def check_meanings(self) -> None:
        """Raise PluginError if a name of the module means something else than when the procedure was compiled."""
        changed = [name for name, value in self._meant.items() if self.names.get(name, self) is not value]
        changed += [ast.unparse(node) for node, values in self.unrolled if [*self.evaluate(node)] != values]
        if changed:
            problem = f"{changed[0]!r} was something else when the procedure was compiled"
            self.refuse(self.tree, problem, "give it one value, before the class of the program")

    def error(self, line: int, problem: str, remedy: str = "") -> PluginError:
        """Return an error that names a line."""
        return PluginError(f"{self.file}, line {line}, in {self.procedure.name}: {problem}", remedy=remedy)

    def refuse(self, where: int | ast.AST, problem: str, remedy: str = "") -> NoReturn:
        """Raise the error of a line, or of a node's."""
        raise self.error(where if isinstance(where, int) else where.lineno, problem, remedy)  # type: ignore[attr-defined]

    def _check_signature(self) -> None:
        given, function = self.tree.args, self.procedure.function
        if function.__code__.co_freevars:
            name = function.__code__.co_freevars[0]
            problem = f"it is a closure: {name!r} is a variable of the function around it"
            self.refuse(self.tree, problem, "pass it as an argument, or make it global")
        if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults:
            self.refuse(self.tree, "its arguments must be plain, without defaults and stars", "name each argument")
        for argument in given.args:
            if argument.annotation is None:
                self.refuse(argument, f"the argument {argument.arg!r} has no type", "give it a type hint")
            if function.__annotations__[argument.arg] is Procedure and argument.arg not in self.procedure.bound:
                problem = f"the argument {argument.arg!r} is a procedure, and it is not known here which"
                self.refuse(argument, problem, "where it is called, give it one of the module by its name")

    def constant(self, node: ast.expr) -> Any:
        """Return the value of an expression without variables, for a loop that is unrolled; None if it has some."""
        return None if self.varies(node) else self.evaluate(node)

    def evaluate(self, node: ast.expr) -> Any:
        """Return the value of an expression without variables."""
        if isinstance(node, ast.Name) and node.id in self.names:  # most are, and so without compiling it
            return self.names[node.id]
        code = compile(ast.Expression(node), self.file, "eval", dont_inherit=True)
        try:
            return eval(code, self.procedure.function.__globals__, self.generated)
        except Exception as error:
            problem = f"{ast.unparse(node)!r} can't be computed ({type(error).__name__}: {error})"
            self.refuse(node, problem, "define what it uses in the module, above the program")

    @contextmanager
    def refusing(self, where: int | ast.AST, remedy: str = "") -> Iterator[None]:
        """Raise the error of a line, or of a node's, for a TypeError in the block."""
        try:
            yield
        except TypeError as error:
            self.refuse(where, str(error), remedy)

    def hinted(self, node: ast.expr) -> Kinds:
        """Return the kinds that a type hint says, which may be a text."""
        hint = self.evaluated(node)
        with self.refusing(node):
            return hint.kinds if isinstance(hint, Values) else kinds_of_hint(hint)

    def evaluated(self, node: ast.expr) -> Any:
        """Return the value of a type hint, which may be a text."""
        if isinstance(node, ast.Constant) and isinstance(text := node.value, str):
            try:
                node = ast.copy_location(ast.parse(text, mode="eval").body, node)
            except SyntaxError:
                self.refuse(node, f"{text!r} is not a type", "write one as in Python")
        return self.evaluate(node)

    def cast(self, node: ast.expr, hint: Any) -> ast.Call:
        """Return the cast of a variable or field to a hint, or to values."""
        name = f"__hint{len(self.generated)}"
        self.generated[name] = hint
        called = ast.Call(ast.Name("__cast", ast.Load()), [ast.Name(name, ast.Load()), node], [])
        return ast.fix_missing_locations(ast.copy_location(called, node))

    def meaning(self, node: ast.expr) -> Any:
        """Return what a name of the module means, or an attribute of one; None for anything else."""
        name = node
        while isinstance(name, ast.Attribute):
            name = name.value
        return self.constant(node) if isinstance(name, ast.Name) and name.id in self.names else None

    def called(self, node: ast.AST | None) -> Any:
        """Return what a call calls, as `meaning` does; None for anything else than a call."""
        return self.meaning(node.func) if isinstance(node, ast.Call) else None

    def expression(self, node: ast.expr) -> "Expression":
        """Compile an expression; a field of a record is a variable of its own, such as `cell.next`."""
        used = dict[str, None]()
        for each in _outermost(node, self.variable):
            name = self.variable(each)
            if name is not None:
                used[name] = None
            else:
                self._check(each)
        return Expression(self, tuple(used), node, node.lineno)

    def variable(self, node: ast.AST) -> str | None:
        """Return the name of the variable that a node is: `cell`, or `cell.next`; also for `getattr(cell, "next")`."""
        match node:
            case ast.Name(id=name) if name in self.variables:
                return name
            case ast.Attribute(value=ast.Name(id=name), attr=field) if name in self.variables and field != "number":
                return f"{name}.{field}"
            case ast.Call(func=function, args=[ast.Name(id=name), ast.Constant(value=str(field))], keywords=[]) if (
                name in self.variables and self.meaning(function) is getattr
            ):
                return f"{name}.{field}"
        return None

    def class_test(self, node: ast.AST) -> tuple[bool, ast.expr, Kinds] | None:
        """Return of `cast(Digit, x)` or `isinstance(x, Digit)` whether it is a cast, the variable, and the kinds."""
        called = self.called(node)
        if not isinstance(node, ast.Call) or called not in (cast, isinstance) or len(node.args) != 2:
            return None
        value, hint = node.args if called is isinstance else reversed(node.args)
        if self.variable(value) is None or self.varies(hint):
            problem = f"{ast.unparse(node)!r} has other arguments than a class and a variable or field"
            self.refuse(node, problem, "give the value to a variable first")
        return called is cast, value, self.hinted(hint)

    def checked(self, node: ast.expr, kinds: Kinds, value: Any) -> Any:
        """Return the value of a cast; PluginError if it is of other kinds. Any record is taken for one of the class."""
        if type(value) is Record and Record not in kinds.records:
            (kind,) = kinds.records
            return kind.at(value.number)
        if type(value) in kinds.records or value in kinds.words:
            return value
        problem = f"{ast.unparse(node)!r} is {value!r}, not {kinds}"
        raise self.error(node.lineno, problem, "test it first, with `isinstance`")

    def _check(self, node: ast.AST) -> None:
        """Refuse what an expression can't be."""
        called = self.called(node)
        match node:
            case ast.Name(id=name) if name not in self.names:
                self.refuse(node, f"the name {name!r} is unknown here", "define it in the module")
            case ast.Attribute(value=value, attr=field) if self.variable(value) is not None and field != "number":
                text = ast.unparse(value)
                self.refuse(node, f"{text!r} has not been read", f"write `found = yield read({text})` first")
            case ast.Attribute(value=value, attr=field) if self.variable(value) is None and self.varies(value):
                text = ast.unparse(value)
                read_it = f"{text}` first" if field == "number" else f"yield read({text})` first, or a helper function"
                self.refuse(node, f"{text!r} is not a variable", f"write `found = {read_it}")
            case ast.Call() if called in (read, write, new) or isinstance(called, Procedure):
                text = ast.unparse(node)
                self.refuse(node, f"{text!r} does nothing without `yield`", f"write `(yield {text})`")
            case ast.Call() if called in (language.chain, language.each, getattr):
                remedy = (
                    'write `for x in chain(first, "next")` or `each(items)`, and `getattr(x, "field")` with a constant'
                )
                self.refuse(node, f"{ast.unparse(node)!r} can't be compiled", remedy)
            case ast.Call(func=function) if inspect.isgeneratorfunction(called):
                self.refuse(node, f"{ast.unparse(function)!r} is no procedure", "decorate it with `@procedure`")
            case ast.Call(func=function) if not callable(self.constant(function)):
                text = ast.unparse(function)
                self.refuse(node, f"{text!r} is not a function here", "call one of the module that no variable hides")
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
                what, remedy = _REFUSED.get(type(node), (type(node).__name__, _HELPER))
                self.refuse(node, f"{what} can't be compiled", remedy)

    def varies(self, node: ast.AST) -> bool:
        """Return whether there are variables in an expression."""
        return any(self.variable(each) is not None for each in ast.walk(node))


@lru_cache(8)
def _functions(text: str) -> tuple[Mapping[tuple[int, str], _Function], Mapping[tuple[int, str], CodeType]]:
    """Return the functions of a file, and what Python makes of them, by their first line and name."""
    with warnings.catch_warnings(action="ignore"):  # Python has said them when the file was imported
        tree = ast.parse(text)
        codes = [compile(tree, "", "exec", dont_inherit=True)]
    for code in codes:
        codes.extend(each for each in code.co_consts if isinstance(each, CodeType))
    nodes = [each for each in ast.walk(tree) if isinstance(each, _Function)]
    lines = [min(part.lineno for part in (each, *getattr(each, "decorator_list", ()))) for each in nodes]
    names = [getattr(each, "name", "<lambda>") for each in nodes]
    by_place = dict(zip(zip(lines, names, strict=True), nodes, strict=True))
    return by_place, {(code.co_firstlineno, code.co_name): code for code in codes}


def _runs(code: CodeType) -> Any:
    """Return what a function does: its instructions, and what they name."""
    constants = [(type(each), each) for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars


_ALLOWED = (
    ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.keyword, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare,
    ast.IfExp, ast.Tuple, ast.Subscript, ast.boolop, ast.unaryop, ast.operator, ast.cmpop, ast.expr_context,
)  # fmt: skip
_HELPER = "write a helper function with a return type, without `yield`, and call it"
_SEVERAL = "keep several values in records, or in a tuple or table of the module"
_REFUSED: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.Lambda: ("a lambda", _HELPER), ast.JoinedStr: ("an f-string", "put the values into an action or a note"),
    ast.NamedExpr: ("`:=`", "assign on a line of its own"), ast.Starred: ("`*`", "name each value"),
    ast.Slice: ("a slice", _HELPER), ast.List: ("a list", _SEVERAL), ast.Set: ("a set", _SEVERAL),
    ast.Dict: ("a dict", _SEVERAL), ast.ListComp: ("a comprehension", _SEVERAL),
    ast.SetComp: ("a comprehension", _SEVERAL), ast.DictComp: ("a comprehension", _SEVERAL),
    ast.GeneratorExp: ("a generator expression", _HELPER),
}  # fmt: skip

OUTSIDE, _BEFORE = "define it outside, in the module", "decide with `if` before it can go wrong"
_STORE = "pass what changes as an argument, or store it in a record"
REFUSED: dict[type[ast.stmt], tuple[str, str]] = {
    ast.Try: ("try", _BEFORE), ast.TryStar: ("try", _BEFORE), ast.Match: ("match", "use `if` and `elif`"),
    ast.With: ("with", "leave it out: there are no resources in a program"),
    ast.FunctionDef: ("def", "define the function outside, and give it arguments"),
    ast.AsyncFunctionDef: ("async def", OUTSIDE), ast.ClassDef: ("class", OUTSIDE),
    ast.Import: ("import", OUTSIDE), ast.ImportFrom: ("import", OUTSIDE),
    ast.Global: ("global", _STORE), ast.Nonlocal: ("nonlocal", _STORE),
    ast.Delete: ("del", "leave it out: what is not needed is not kept"),
    ast.Raise: ("raise", "take an action, write a note, or return a result that says so"),
    ast.Assert: ("assert", "leave it out, or test it with `if`"),
}  # fmt: skip


@frozen
class Expression:
    """An expression of a program.

    Attributes:
        variables: The variables that it uses, in order.
        node: Its syntax tree, as it was written.
    """

    _source: Source = field(eq=False)
    variables: tuple[str, ...]
    node: ast.expr = field(eq=False)
    line: int

    def __str__(self) -> str:
        return "what is read" if getattr(self.node, "is_temporary", False) else repr(ast.unparse(self.node))

    @property
    def is_variable(self) -> bool:
        """Whether it is a variable and nothing else."""
        return isinstance(self.node, ast.Name) and self.variables == (self.node.id,)

    def value(self, names: dict[str, Any], variables: Mapping[str, Any]) -> Any:
        """Its value."""
        if self._name is not None:
            return variables[self._name]
        code, casts = self._compiled
        return eval(code, names, {**variables, **casts} if casts else variables)

    @cached_property
    def _name(self) -> str | None:
        """The name, if it is a variable or a field and nothing else, which Python need not compile."""
        return self._source.variable(self.node)

    @cached_property
    def _compiled(self) -> tuple[CodeType, Mapping[str, Callable[..., Any]]]:
        """What Python runs, compiled when it is first needed, and the functions in it that check."""
        source, casts = self._source, dict[str, Callable[..., Any]]()

        def checking(node: Any) -> ast.AST | None:
            """Put variables in place of fields, and functions that check in place of `cast`."""
            if (test := source.class_test(node)) and test[0]:
                name = f"cast {len(casts)}"
                casts[name] = partial(source.checked, *test[1:])
                return ast.Call(ast.Name(name, ast.Load()), [rewriter.visit(test[1])], [])
            variable = source.variable(node)
            return None if variable is None else ast.Name(variable, ast.Load())

        rewriter = Rewriter(checking)
        located = ast.fix_missing_locations(ast.Expression(rewriter.visit(copy.deepcopy(self.node))))
        with warnings.catch_warnings(action="ignore"):  # of constants, where Python has variables
            return compile(located, source.file, "eval", dont_inherit=True), casts


def _outermost(node: ast.AST, is_leaf: Callable[[ast.AST], Any]) -> Iterator[ast.AST]:
    """Yield the nodes below one, and itself, but none below a leaf."""
    yield node
    if is_leaf(node) is None:
        for child in ast.iter_child_nodes(node):
            yield from _outermost(child, is_leaf)
