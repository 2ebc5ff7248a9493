"""A procedure's body as a list of operations, with jumps in place of `if`, `while` and `for`."""

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from inspect import isgeneratorfunction
from typing import Any

from coc_programs import language, operations as ops
from coc_programs.functions.telling import is_told, teller
from coc_programs.kinds import PARTS
from coc_programs.language import Procedure
from coc_programs.record import Record
from coc_programs.syntax.hints import Hints
from coc_programs.syntax.rewriting import Rewriter, has, walk
from coc_programs.syntax.source import OUTSIDE, REFUSED, Expression, Source


class Body:
    """The operations of one procedure.

    Attributes:
        operations: The operations, in order.
        waits: The index of the operation of each label, the first at 1.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.operations: list[ops.Operation] = []
        self._loops: list[tuple[list[ops.Jump], list[ops.Jump]]] = []  # what leaves each loop, and what goes on with it
        self._temporary = 0
        self._hints = Hints(source)
        self._unrolled: dict[str, int] = {}  # the variable of each loop that is unrolled, and its line
        self._rounds = 0
        self._block(source.tree.body)
        reads = any(isinstance(each, ops.Wait) for each in self.operations)
        if not (reads or isgeneratorfunction(source.procedure.function)):
            source.refuse(source.tree, "there is no `yield` in it", "make it a helper function, without `@procedure`")
        self._add(ops.Return(source.tree.end_lineno or source.tree.lineno))
        self._check_unrolled()
        self.waits = [-1]
        for index, operation in enumerate(self.operations):
            if isinstance(operation, ops.Wait):
                operation.label = len(self.waits)
                self.waits.append(index)

    def _add(self, operation: Any) -> Any:
        self.operations.append(operation)
        return operation

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            method = getattr(self, f"_{type(statement).__name__.lower()}", None)
            if method is None:
                what, remedy = REFUSED.get(type(statement), (type(statement).__name__, OUTSIDE))
                self.source.refuse(statement, f"`{what}` can't be compiled", remedy)
            method(statement)

    # ── statements ────────────────────────────────────────────────────────────────────────────────────────────────

    def _pass(self, _: ast.Pass) -> None:
        pass

    def _expr(self, statement: ast.Expr) -> None:
        if isinstance(statement.value, ast.Yield):
            self._yield(statement.value, None)
        elif isinstance(statement.value, ast.YieldFrom):
            self._expression(statement.value)
        elif not isinstance(statement.value, ast.Constant):
            text = ast.unparse(statement.value)
            called = self.source.called(statement.value)
            is_yielded = called in (language.read, language.write, language.new) or isinstance(called, Procedure | type)
            remedy = f"write `yield {text}`" if is_yielded else "leave it out, or yield a note"
            self.source.refuse(statement, f"{text!r} does nothing here", remedy)

    def _assign(self, statement: ast.Assign) -> None:
        if len(statement.targets) > 1:
            self.source.refuse(statement, "several variables get one value at once", "assign them one by one")
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Yield):
            found = self._several(value, len(target.elts))
            names = map(self._target, target.elts)
            self._add(ops.Assign(statement.lineno, dict(zip(names, map(self.source.expression, found), strict=True))))
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            pairs = zip(target.elts, value.elts, strict=True)
            values = {self._target(one): self._expression(other) for one, other in pairs}
            self._add(ops.Assign(statement.lineno, values))
        else:
            self._give(self._target(target), value)

    def _annassign(self, statement: ast.AnnAssign) -> None:
        if statement.value is not None:
            self._give(self._target(statement.target), statement.value)

    def _augassign(self, statement: ast.AugAssign) -> None:
        name = ast.copy_location(ast.Name(self._target(statement.target), ast.Load()), statement)
        self._give(name.id, ast.copy_location(ast.BinOp(name, statement.op, statement.value), statement))

    def _return(self, statement: ast.Return) -> None:
        value = statement.value
        is_none = value is None or (isinstance(value, ast.Constant) and value.value is None)
        results: list[Expression | None] = [None]
        if isinstance(value, ast.Tuple):
            results = [self._expression(each) for each in value.elts]
        elif isinstance(value, ast.Yield) and (many := len(self._casts(value))) > 1:
            results = [self.source.expression(each) for each in self._several(value, many)]
        elif value is not None and not is_none:
            results = [self._expression(value)]
        self._add(ops.Return(statement.lineno, tuple(results)))

    def _several(self, node: ast.Yield, many: int) -> list[ast.expr]:
        """Call a procedure with several results, and return what stands for each of them."""
        casts = self._casts(node)
        if len(casts) != many:
            problem = f"{many} variables take {len(casts)} results"
            self.source.refuse(node, problem, "call a procedure that returns as many, `-> Steps[tuple[...]]`")
        variable = self._new_variable(node)
        self._yield(node, variable.id, several=True)
        parts = [ast.copy_location(ast.Attribute(variable, part, ast.Load()), node) for part in PARTS[:many]]
        given: list[ast.expr] = [variable] if many == 1 else [*parts]
        pairs = zip(given, casts, strict=True)
        return [each if values is None else self.source.cast(each, values) for each, values in pairs]

    def _casts(self, node: ast.Yield) -> list[Any]:
        """Return the values of each result of a call where they say which class a record of any class has, else None;
        of anything else than a call, nothing.
        """
        call, meaning = node.value, self.source.called(node.value)
        if not isinstance(call, ast.Call) or not isinstance(meaning, Procedure):
            return []
        given = self._hints.results(meaning, self._arguments(call, meaning))
        return [values if says_more else None for values, says_more in given]

    def _if(self, statement: ast.If) -> None:
        branch = self._add(ops.Branch(statement.lineno, self._expression(statement.test)))
        self._block(statement.body)
        leave = self._add(ops.Jump(statement.lineno)) if statement.orelse else None
        branch.otherwise = len(self.operations)
        if leave is not None:
            self._block(statement.orelse)
            leave.to = len(self.operations)

    def _while(self, statement: ast.While) -> None:
        self._no_else(statement)
        top = len(self.operations)
        branch = self._add(ops.Branch(statement.lineno, self._expression(statement.test)))
        self._loops.append(([], []))
        self._block(statement.body)
        self._add(ops.Jump(statement.lineno, top))
        branch.otherwise = self._close_loop(top)

    def _for(self, statement: ast.For) -> None:
        self._no_else(statement)
        over, called = statement.iter, self.source.called(statement.iter)
        if isinstance(over, ast.Call) and called in (language.chain, language.each):
            self._over_records(statement, over, called)
            return
        targets = statement.target.elts if isinstance(statement.target, ast.Tuple) else [statement.target]
        variables = [self._target(each) for each in targets]
        values = self.source.constant(over)
        if not isinstance(values, tuple | list | range):
            problem = f"a loop over {ast.unparse(over)!r} can't be unrolled"
            self.source.refuse(over, problem, 'loop over constants, or over chain(first, "next")')
        self._unrolled |= dict.fromkeys(variables, statement.lineno)
        self._rounds += len(values)
        if self._rounds > _MOST_ROUNDS:
            problem = f"loops over constants are unrolled, and these have more than {_MOST_ROUNDS:,} rounds"
            self.source.refuse(over, problem, "count in a variable, with `while`, or go along a chain of records")
        self.source.unrolled.append((over, [*values]))
        leaving = list[ops.Jump]()
        for value in values:
            if not isinstance(value, bool | int | str | tuple | None):
                problem = f"{ast.unparse(over)!r} has something else than None, bools, numbers and words"
                self.source.refuse(over, problem, "write the loop's body for each")
            parts = value if isinstance(statement.target, ast.Tuple) else (value,)
            if not isinstance(parts, tuple) or len(parts) != len(variables):
                problem = f"{value!r} in {ast.unparse(over)!r} is not a tuple of {len(variables)}"
                self.source.refuse(over, problem, "use tuples of one length, or one variable")
            replaced = Rewriter(partial(self._constant_for, dict(zip(variables, parts, strict=True))))
            self._loops.append((leaving, []))
            self._block([replaced.visit(copy.deepcopy(each)) for each in statement.body])
            self._close_loop(len(self.operations))

    def _constant_for(self, values: Mapping[str, Any], node: ast.AST) -> ast.AST | None:
        """Return the constant for a variable of a loop that is unrolled; None for anything else."""
        if not isinstance(node, ast.Name) or node.id not in values:
            return None
        if isinstance(node.ctx, ast.Store):
            self.source.refuse(node, f"the loop's variable {node.id!r} is assigned to", "use another variable")
        return ast.copy_location(ast.Constant(values[node.id]), node)

    def _over_records(self, statement: ast.For, over: ast.Call, called: Any) -> None:
        self._target(statement.target)
        match over:
            case ast.Call(args=[first, ast.Constant(value=str(link))], keywords=[]) if called is language.chain:
                names = [self._new_variable(over).id, ast.unparse(statement.target)]
            case ast.Call(args=[first], keywords=[]) if called is language.each:
                names, link = [self._new_variable(over).id, self._new_variable(over).id], ""
            case _:
                remedy = 'write chain(first, "next") or each(items)'
                self.source.refuse(over, "a chain has a first record and the name of a field; each, a list", remedy)
        for name in names[: 1 if link else 2]:
            self._hints.know(name, self._hints.of(first))
        self._give(names[0], first)
        self._while(walk(statement, names[0], names[1], link))

    def _check_unrolled(self) -> None:
        """Refuse other values of a loop's variable, which would be there after the loop in place of its last."""
        given = dict.fromkeys(self.source.procedure.parameters, self.source.tree.lineno)
        for operation in self.operations:
            names = operation.values if isinstance(operation, ops.Assign) else [getattr(operation, "target", None)]
            given.update((name, operation.line) for name in names if name is not None)
        for name in given.keys() & self._unrolled.keys():
            problem = f"{name!r} is also the variable of the loop in line {self._unrolled[name]}"
            self.source.refuse(given[name], problem, "use another variable")

    def _break(self, statement: ast.Break) -> None:
        self._loops[-1][0].append(self._add(ops.Jump(statement.lineno)))

    def _continue(self, statement: ast.Continue) -> None:
        self._loops[-1][1].append(self._add(ops.Jump(statement.lineno)))

    def _close_loop(self, top: int) -> int:
        leaving, continuing = self._loops.pop()
        end = len(self.operations)
        for jump in leaving:
            jump.to = end
        for jump in continuing:
            jump.to = top
        return end

    def _no_else(self, loop: ast.For | ast.While) -> None:
        if loop.orelse:
            self.source.refuse(loop.orelse[0], "a loop with `else` can't be compiled", "use a variable, or `return`")

    # ── expressions ───────────────────────────────────────────────────────────────────────────────────────────────

    def _give(self, name: str, value: ast.expr) -> None:
        if isinstance(value, ast.Yield) and any(values is not None for values in self._casts(value)):
            (given,) = self._several(value, 1)
            self._add(ops.Assign(value.lineno, {name: self.source.expression(given)}))
        elif isinstance(value, ast.Yield):
            self._yield(value, name)
        else:
            self._add(ops.Assign(value.lineno, {name: self._expression(value)}))

    def _expression(self, node: ast.expr) -> Expression:
        """Return an expression, after the operations of each `yield` in it that is certain to happen."""
        return self.source.expression(Rewriter(self._hints.with_cast).visit(copy.deepcopy(self._hoisted(node))))

    def _hoisted(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Yield):
            variable = self._new_variable(node)
            self._hints.know(variable.id, self._hints.of(node))
            self._give(variable.id, node)
            return variable
        if isinstance(node, ast.BoolOp) and any(has(each, ast.Yield) for each in node.values[1:]):
            return self._one_by_one(node)
        node = copy.copy(node)
        for name in _CERTAIN.get(type(node), "").split():
            part, every = getattr(node, name), isinstance(node, ast.Call | ast.Tuple)
            if isinstance(part, list):
                part = [self._hoisted(each) if every or each is part[0] else each for each in part]
            setattr(node, name, part if isinstance(part, list) else self._hoisted(part))
        return node

    def _one_by_one(self, node: ast.BoolOp) -> ast.expr:
        """Compute `and` or `or` up to the value that decides, so that what follows it does not happen."""
        variable, branches = self._new_variable(node), list[ops.Branch]()
        for value in node.values:
            self._add(ops.Assign(value.lineno, {variable.id: self._expression(value)}))
            if value is not node.values[-1]:
                negated = ast.copy_location(ast.UnaryOp(ast.Not(), variable), node)
                goes_on = variable if isinstance(node.op, ast.And) else negated
                branches.append(self._add(ops.Branch(value.lineno, self.source.expression(goes_on))))
        for branch in branches:
            branch.otherwise = len(self.operations)
        return variable

    def _new_variable(self, near: ast.expr) -> ast.Name:
        """Return a variable that no name of the source means."""
        self._temporary += 1
        name = f"_{self._temporary}"
        if name in self.source.mentioned:
            return self._new_variable(near)
        self.source.variables = (*self.source.variables, name)
        variable = ast.copy_location(ast.Name(name, ast.Load()), near)
        variable.is_temporary = True  # type: ignore[attr-defined]
        return variable

    def _target(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return name
            case ast.Attribute(value=value, attr=attribute):
                remedy = f"write `yield write({ast.unparse(value)}, {attribute}=...)`"
                self.source.refuse(node, f"{ast.unparse(node)!r} can't be assigned to", remedy)
        return self.source.refuse(node, f"{ast.unparse(node)!r} can't be assigned to", "assign to a variable")

    # ── yield ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _yield(self, node: ast.Yield, target: str | None, *, several: bool = False) -> None:
        call = node.value
        if call is None:
            self.source.refuse(node, "`yield` alone does nothing", "yield an action, or read, write, new or a call")
        meaning = self.source.called(call)
        if isinstance(call, ast.Call) and meaning is language.read:
            if call.keywords:
                self.source.refuse(call, "read takes one argument, and no fields", "write read(record)")
            self._add(ops.ReadRecord(node.lineno, target, self._expression(self._only(call))))
        elif isinstance(call, ast.Call) and meaning is language.new:
            kind = self.source.meaning(self._only(call))
            if not (isinstance(kind, type) and issubclass(kind, Record)):
                problem = f"{ast.unparse(call.args[0])!r} is not a class of records"
                self.source.refuse(call, problem, "write new(Class, field=...)")
            given = self._keywords(call)
            with self.source.refusing(call, f"the fields are {', '.join(kind.field_names())}"):
                defaults = kind(**dict.fromkeys(given)).fields
            fields = {name: given.get(name) or self._constant(call, value) for name, value in defaults.items()}
            self._add(ops.MakeRecord(node.lineno, target, kind, fields))
        elif isinstance(call, ast.Call) and isinstance(meaning, Procedure):
            if target is not None and not several and len(self._casts(node)) > 1:
                self.source.refuse(node, f"{meaning.name} has several results", "write `a, b = yield ...`")
            nodes = self._arguments(call, meaning)
            constants = {name: self.source.meaning(each) for name, each in nodes.items()}
            bound = {name: each for name, each in constants.items() if isinstance(each, Procedure)}
            values = {name: self._expression(each) for name, each in nodes.items() if name not in bound}
            arguments = tuple(values[name] for name in meaning.parameters if name in values)
            self._add(ops.CallProcedure(node.lineno, target, meaning.given(bound), arguments))
        elif isinstance(call, ast.Call) and meaning is language.Told and (told := self._teller(call)):
            self._add(ops.CallProcedure(node.lineno, target, told, (self._expression(self._only(call)),)))
        elif target is not None:
            if meaning is not language.write:
                self._expression(call)  # which says what is wrong with it
            self.source.refuse(node, f"{ast.unparse(call)!r} gives nothing back", "yield it on a line of its own")
        elif isinstance(call, ast.Call) and meaning is language.write:
            record = self._expression(self._only(call))
            fields = self._keywords(call)
            if not fields:
                self.source.refuse(call, "nothing is written", "name fields: write(record, field=value)")
            self._add(ops.Store(node.lineno, record, fields))
        else:
            self._add(ops.Emit(node.lineno, self._expression(call), meaning if isinstance(meaning, type) else None))

    def _teller(self, call: ast.Call) -> Procedure | None:
        """Return the procedure that tells a value of records; None if it is told at once."""
        values = self._hints.of(self._only(call))
        with self.source.refusing(call):
            return teller(values) if values and any(is_told(kind) for kind, _ in values.classes) else None

    def _constant(self, near: ast.AST, value: Any) -> Expression:
        if not isinstance(value, bool | int | str | None):
            self.source.refuse(near, f"the default {value!r} of a field can't be compiled", "name the field in `new`")
        return self.source.expression(ast.copy_location(ast.Constant(value), near))

    def _only(self, call: ast.Call) -> ast.expr:
        if len(call.args) != 1 or isinstance(call.args[0], ast.Starred):
            name = ast.unparse(call.func)
            self.source.refuse(call, f"{name} takes one argument, and perhaps fields by name", "give it one")
        return call.args[0]

    def _keywords(self, call: ast.Call) -> dict[str, Expression]:
        return {name: self._expression(value) for name, value in self._named(call)}

    def _named(self, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        """Yield the fields that a call names, also by constants, as in `**{way: value}`."""
        for each in call.keywords:
            if each.arg is not None:
                yield each.arg, each.value
                continue
            keys = each.value.keys if isinstance(each.value, ast.Dict) else [None]
            names = [None if key is None else self.source.constant(key) for key in keys]
            if not all(isinstance(name, str) for name in names):
                remedy = "name each field, or write `**{way: value}`, where `way` is a constant"
                self.source.refuse(call, "`**` can't be compiled here", remedy)
            yield from zip(names, each.value.values, strict=True)  # type: ignore[attr-defined]

    def _arguments(self, call: ast.Call, procedure: Procedure) -> dict[str, ast.expr]:
        """Return the arguments in the order in which they are written, which is that of what they do."""
        if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
            self.source.refuse(call, "`*` can't be compiled", "name each argument")
        with self.source.refusing(call, "give each of them"):
            given = procedure(*call.args, **{each.arg or "": each.value for each in call.keywords}).arguments
        written = [*call.args, *(each.value for each in call.keywords)]
        return dict(sorted(zip(procedure.parameters, given, strict=True), key=lambda pair: written.index(pair[1])))


_MOST_ROUNDS = 1_000
"""The most rounds of loops that are unrolled in one procedure, each of which has instructions of its own."""


_CERTAIN: dict[type[ast.AST], str] = {
    ast.UnaryOp: "operand", ast.BinOp: "left right", ast.Compare: "left comparators", ast.BoolOp: "values",
    ast.Attribute: "value", ast.Subscript: "value slice", ast.Call: "args keywords", ast.keyword: "value",
    ast.Tuple: "elts", ast.IfExp: "test",
}  # fmt: skip
"""The parts of an expression that are certain to be computed; of several the first, but all arguments."""
