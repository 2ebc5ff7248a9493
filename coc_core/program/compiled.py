"""A program compiled to instructions, each a place in a procedure and the variables that are still needed there."""

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen, make_class

from coc_core.errors import PluginError
from coc_core.program.analysis import Signature, Typing, live_variables
from coc_core.program.body import Body
from coc_core.program.kinds import Kinds, union
from coc_core.program.language import Call, Procedure
from coc_core.program.operations import Assign, Branch, CallProcedure, Emit, Jump, MakeRecord, ReadRecord, Return, Store
from coc_core.program.record import Record
from coc_core.program.source import Expression, Source
from coc_core.text import Codec, Form, Forms, described, names_in, quoted
from coc_core.types import Step

_MOST_OPERATIONS = 100_000
"""The most operations of a step. Each loop that has to go on for longer reads records, or calls."""

_AT, _GOT = "record", "result"
"""The fields of instructions that hold the record or the result that a step is given."""
_WORDS = {_AT: "AT", _GOT: "GOT"}

Fields = tuple[tuple[str, Any], ...]
"""Fields of a record with their values, in the order of the class."""


@frozen
class Shown:
    """A record that an instruction names, with all fields once it has been read, and none before."""

    reference: Record
    fields: Fields = ()


@frozen
class Written:
    """A record that a step writes: some of its fields, or all if it is new."""

    reference: Record
    fields: Fields


@frozen
class Result:
    """What a procedure returns."""

    value: Any


@frozen
class Ended:
    """A note: a procedure has ended without a result, and there was nothing else to write."""


NOT_YET: Any = object()
"""Stands for a result that is not there yet."""


class Code:
    """One compiled procedure.

    Attributes:
        result: The codec of what it returns.
        places: Where its steps begin, by label.
        tails: The operations that call and leave nothing to do.
    """

    def __init__(self, procedure: Procedure) -> None:
        self.procedure = procedure
        self.source = Source(procedure)
        self.body = Body(self.source)
        self.operations = self.body.operations
        self.names = dict(self.source.names)

    def analyse(self, signatures: Mapping[Procedure, Signature]) -> None:
        """Find the variables and their kinds, and what an instruction of each place looks like."""
        self.signature = signatures[self.procedure]
        self.result = self.signature.result.codec
        self._live = live_variables(self.body)
        self.typing = Typing(self.body, signatures)
        calls = {at: each for at, each in enumerate(self.operations) if isinstance(each, CallProcedure)}
        self.tails = {at for at, call in calls.items() if self._is_tail(call, at + 1, signatures)}
        self.places = [self._place(label, index, signatures) for label, index in enumerate(self.body.waits)]

    def _is_tail(self, call: CallProcedure, index: int, signatures: Mapping[Procedure, Signature]) -> bool:
        """Whether nothing is left to do after a call but to return its result, or neither has a result."""
        while isinstance(jump := self.operations[index], Jump):
            index = jump.to
        end = self.operations[index]
        if not isinstance(end, Return):
            return False
        if end.value is None:
            return not self.signature.returns and not signatures[call.procedure].returns
        return end.value.is_variable and end.value.variables == (call.target,)

    def _place(self, label: int, index: int, signatures: Mapping[Procedure, Signature]) -> "Place":
        wait: Any = self.operations[index] if label else None
        shown = {*(self._live[index + 1] if label else self.procedure.parameters)}
        given = dict[str, Codec[Any]]()
        if isinstance(wait, ReadRecord):
            (kind,) = self.typing.of(wait.record.node).records
            given[_AT] = _at_codec(kind, self.typing.fields(kind, wait.line))
            shown -= {name for name in shown if name.partition(".")[0] == wait.target}
            shown -= {*wait.record.variables} if wait.record.is_variable else set()
        elif isinstance(wait, CallProcedure) and signatures[wait.procedure].returns:
            given[_GOT] = _got_codec(signatures[wait.procedure].result)
            shown -= {wait.target or ""}
        order = {name: place for place, name in enumerate(self.procedure.parameters)}
        variables = tuple(sorted(shown, key=lambda name: (order.get(name, len(order)), name)))
        codecs = {_identifier(name): self.typing.kinds[name].codec for name in variables} | given
        name = f"{self.procedure.name}.{label}" if label else self.procedure.name
        fields = {each: field(alias=each) for each in codecs}  # else `_x` would be an argument `x`
        frame = make_class(_identifier(name), fields, frozen=True)
        words = [f"CALL {name}", *(f"{each}={{{_identifier(each)}}}" for each in variables)]
        words += [f"{_WORDS[each]} {{{each}}}" for each in given]
        form: Form[Any] = Form.of(frame, " ".join(words), **codecs)
        return Place(self, label, name, variables, form, wait.line if label else self.source.tree.lineno)


@frozen(eq=False)
class Place:
    """A place in a procedure where a step begins.

    Attributes:
        label: The number of the operation that waits there, from 1; 0 at the beginning.
        name: The name, such as `search.3`.
        variables: The variables that are still needed, which an instruction shows.
        form: The form of its instructions, which begin a step there.
        line: The line of the source.
    """

    code: Code = field(repr=False)
    label: int
    name: str
    variables: tuple[str, ...]
    form: Form[Any] = field(repr=False)
    line: int

    @property
    def is_used(self) -> bool:
        """Whether a step begins there: not after a call that leaves nothing to do."""
        return self.code.body.waits[self.label] not in self.code.tails

    @property
    def wait(self) -> Any:
        """The operation that the step before ended with; None at the beginning."""
        return self.code.operations[self.code.body.waits[self.label]] if self.label else None

    def frame(self, variables: Mapping[str, Any], **given: Any) -> Any:
        """The instruction that goes on there.

        Raises:
            PluginError: A variable has a value that no text is for, such as a number out of range.
        """
        values = {name: variables[name] for name in self.variables}
        for name, value in values.items():
            try:
                self.form.codecs[_identifier(name)].format(value)
            except ValueError as error:
                raise self.code.source.error(self.line, f"{name!r}: {error}", "change its type hint") from None
        return self.form.record(**{_identifier(name): value for name, value in values.items()}, **given)


class Compiled:
    """A program: its procedures, and what a step does.

    Args:
        main: The procedure that a run begins with. Those that it calls are found.

    Attributes:
        codes: The procedures, the first one `main`.
        records: The classes of records, in the order in which they were found.
        instructions: The forms of instructions and records.
        results: The form of what procedures return.

    Raises:
        PluginError: It can't be compiled. The error names the line and says what to do.
    """

    def __init__(self, main: Procedure) -> None:
        self.codes = {main: Code(main)}
        queue = [main]
        for procedure in queue:
            for operation in self.codes[procedure].operations:
                if isinstance(operation, CallProcedure) and operation.procedure not in self.codes:
                    self.codes[operation.procedure] = Code(operation.procedure)
                    queue.append(operation.procedure)
        signatures = {procedure: Signature.of(code.source) for procedure, code in self.codes.items()}
        for code in self.codes.values():
            code.analyse(signatures)
            if sum(each.procedure.name == code.procedure.name for each in self.codes.values()) > 1:
                code.source.refuse(code.source.tree, "another procedure has the same name", "choose another name")
        self._main = self.codes[main]
        self.records = self._all_records(signatures)
        self._places = {place.form.record: place for code in self.codes.values() for place in code.places}
        self._written = {kind: self._written_form(kind, fields) for kind, fields in self.records.items()}
        self.instructions: Forms[Any] = Forms(
            *(place.form for place in self.places if place.is_used), *self._written.values()
        )
        returned = union(each.result for each in signatures.values() if each.returns)
        self.results: Forms[Any] = Forms()
        if returned != Kinds():
            self.results = Forms(Form.of(Result, "{value}", value=returned.codec))

    def check_emissions(self, *forms: Forms[Any]) -> None:
        """PluginError, with the line, if a procedure yields an object of a class that none of the forms is for."""
        classes = [form.record for each in forms for form in each]
        for code in self.codes.values():
            for operation in code.operations:
                if isinstance(operation, Emit):
                    node = operation.value.node
                    made, what = type(node), repr(ast.unparse(node))
                    if isinstance(node, ast.Call):
                        made, what = code.source.meaning(node.func), ast.unparse(node.func)
                    elif not operation.value.variables:
                        made = type(code.source.evaluate(node))
                    if isinstance(made, type) and made not in classes:
                        names = ", ".join(kind.__name__ for kind in classes) or "none"
                        problem = f"{what} is neither an action nor a note of the domain"
                        code.source.refuse(operation.line, problem, f"these are: {names}")

    @property
    def growing(self) -> Sequence[str]:
        """The variables, fields and results that are numbers without a limit, so that prompts grow with them."""
        kinds = {
            f"{place.name}: {name}": place.code.typing.kinds[name] for place in self.places for name in place.variables
        }
        kinds |= {
            f"{kind.__name__}.{name}": each for kind, fields in self.records.items() for name, each in fields.items()
        }
        kinds |= {f"the result of {code.procedure.name}": code.signature.result for code in self.codes.values()}
        return [name for name, each in kinds.items() if each.grows]

    @property
    def places(self) -> Sequence[Place]:
        """Where steps begin, procedure by procedure."""
        return tuple(self._places.values())

    def place(self, frame: Any) -> Place | None:
        """Where the step for an instruction begins; None for a record."""
        return self._places.get(type(frame))

    def written(self, record: Record, fields: Mapping[str, Any]) -> Written:
        """A record as an instruction that is never run.

        Raises:
            TypeError: The program refers to no record of its class.
            ValueError: A field has a value that no text is for.
        """
        form = self._written.get(type(record))
        if form is None:
            raise TypeError(f"no argument, variable or field of the program refers to a {type(record).__name__}")
        ordered = tuple((name, fields[name]) for name in self.records[type(record)] if name in fields)
        form.codecs["fields"].format(ordered)
        return form.record(record, ordered)  # type: ignore[no-any-return]

    def start(self, call: Call, records: Sequence[Record]) -> Any:
        """The instruction that begins a call, together with the record that it reads."""
        if call.procedure is not self._main.procedure:
            raise TypeError(f"a run begins with {self._main.procedure.name}, not {call.procedure.name}")
        arguments = dict(zip(call.procedure.parameters, call.arguments, strict=True))
        first = self._main.places[0].frame(arguments)
        (frame,) = self.settled(self._main, 0, arguments) or (first,)
        if hasattr(frame, _AT):
            read = records[getattr(frame, _AT).reference.number - 1]
            return evolve(frame, **{_AT: Shown(read, tuple(read.fields.items()))})
        return frame

    def step(self, frame: Any) -> Step[Any, Any]:
        """What the step for an instruction does.

        Raises:
            PluginError: The program has gone wrong. The error names the line.
        """
        place = self._places.get(type(frame))
        variables = None if place is None else self._begin(place, frame)
        if place is None or variables is None:
            return Step((Ended(),))
        return _Run(self, place.code, variables).step(place.code.body.waits[place.label] + 1)

    def _begin(self, place: Place, frame: Any) -> dict[str, Any] | None:
        """The variables where a step begins; None if what it waits for is not there."""
        variables = {name: getattr(frame, _identifier(name)) for name in place.variables}
        wait = place.wait
        if isinstance(wait, ReadRecord):
            fields = getattr(frame, _AT).fields
            if not fields:
                return None
            reference = getattr(frame, _AT).reference
            if wait.record.is_variable:
                variables[wait.record.variables[0]] = reference
            if wait.target is not None:
                variables[wait.target] = reference
                variables.update({f"{wait.target}.{name}": value for name, value in fields})
        elif isinstance(wait, CallProcedure) and hasattr(frame, _GOT):
            if getattr(frame, _GOT) is NOT_YET:
                return None
            if wait.target is not None:
                variables[wait.target] = getattr(frame, _GOT)
        return variables

    def settled(self, code: Code, label: int, variables: Mapping[str, Any]) -> tuple[Any, ...]:
        """What is left to do at a place: an instruction, or none.

        If all there is to do first is to read a record, it is the instruction that reads it.
        """
        run = _Run(self, code, dict(variables))
        try:
            found = run.to_read(code.body.waits[label] + 1)
        except PluginError:  # that step itself will raise it, after what comes before it
            found = None
        return (code.places[label].frame(variables),) if found is None else found

    def _all_records(self, signatures: Mapping[Procedure, Signature]) -> dict[type[Record], dict[str, Kinds]]:
        found = dict[type[Record], dict[str, Kinds]]()
        code = self._main
        kinds = [kinds for each in signatures.values() for kinds in (*each.arguments.values(), each.result)]
        kinds += [kinds for each in self.codes.values() for kinds in each.typing.kinds.values()]
        made = {each.kind for code in self.codes.values() for each in code.operations if isinstance(each, MakeRecord)}
        queue = sorted(union(kinds).records | made, key=lambda kind: kind.__name__)
        for kind in queue:
            if kind not in found:
                found[kind] = code.typing.fields(kind, code.source.tree.lineno)
                queue.extend(sorted(union(found[kind].values()).records, key=lambda kind: kind.__name__))
        for kind in found:
            for other in found:
                if kind is not other and other.letters.startswith(kind.letters):
                    code.source.refuse(
                        code.source.tree,
                        f"the names of {other.__name__} and {kind.__name__} both begin with {kind.letters}",
                        f'write `class {other.__name__}(Record, letters="...")`',
                    )
        letters = {kind.letters for kind in found}
        for code in self.codes.values():
            names = [code.procedure.name, *code.typing.kinds, *(name for fields in found.values() for name in fields)]
            for name in names_in(" ".join(names), letters):
                code.source.refuse(
                    code.source.tree, f"{name!r} could be the name of a record", "choose another name, or letters"
                )
        return found

    @staticmethod
    def _written_form(kind: type[Record], fields: Mapping[str, Kinds]) -> Form[Any]:
        record = make_class(f"Written{kind.__name__}", [], bases=(Written,), frozen=True)
        codec = Kinds(records=frozenset({kind})).codec
        number = Codec(lambda text: codec.parse(kind.letters + text), lambda value: value.name[len(kind.letters) :])
        return Form.of(
            record, f"{kind.letters}{{reference}}: {{fields}}", reference=number, fields=_fields_codec(fields)
        )


class _Run:
    """One step: the operations from one place to where the program waits again, or ends."""

    def __init__(self, program: Compiled, code: Code, variables: dict[str, Any]) -> None:
        self._program, self._code, self._variables = program, code, variables
        self._emits, self._records = list[Any](), list[Written]()

    def step(self, index: int) -> Step[Any, Any]:
        """Take the step that begins with an operation."""
        program, code, variables = self._program, self._code, self._variables
        index = self._advance(index)
        operation = code.operations[index]
        then: tuple[Any, ...] = ()
        result = None
        match operation:
            case Return(value=value) if code.signature.returns:
                result = Result(None if value is None else self._value(value))
                self._with_text(operation.line, code.result.format, result.value)
            case ReadRecord(record=record):
                then = (self._reading(operation, record),)
            case MakeRecord(target=target, kind=kind, fields=fields):
                values = {name: self._value(value) for name, value in fields.items()}
                made = kind.at(-1)
                self._records.append(self._with_text(operation.line, program.written, made, values))
                if target is not None:
                    variables |= {target: made} | {f"{target}.{name}": value for name, value in values.items()}
                then = program.settled(code, operation.label, variables)
            case CallProcedure(label=label, procedure=procedure, arguments=arguments):
                called, place = program.codes[procedure], code.places[label]
                values = dict(zip(procedure.parameters, map(self._value, arguments), strict=True))
                then = program.settled(called, 0, values)
                if _GOT in place.form.codecs and index not in code.tails:
                    then = (*then, place.frame(variables, **{_GOT: NOT_YET}))
                elif index not in code.tails:
                    then = (*then, *program.settled(code, label, variables))
        emits = tuple(self._emits)
        if not (emits or self._records or then or result):
            emits = (Ended(),)
        return Step(emits, (*self._records, *then), result=result)

    def to_read(self, index: int) -> tuple[Any, ...] | None:
        """If nothing is done before a record is read, or the end, the instruction that reads it, or none; else None."""
        index = self._advance(index, only_decide=True)
        operation = self._code.operations[index]
        if isinstance(operation, ReadRecord):
            return (self._reading(operation, operation.record),)
        return () if isinstance(operation, Return) and not self._code.signature.returns else None

    def _reading(self, operation: ReadRecord, record: Expression) -> Any:
        found = self._value(record)
        if not isinstance(found, Record):
            raise self._code.source.error(
                operation.line, f"there is no record to read: {record} is {found!r}", "test it first"
            )
        return self._code.places[operation.label].frame(self._variables, **{_AT: Shown(found)})

    def _advance(self, index: int, *, only_decide: bool = False) -> int:
        """The index of the operation that ends the step, after all before it; or only those without an effect."""
        operations, variables = self._code.operations, self._variables
        for _ in range(_MOST_OPERATIONS):
            match operation := operations[index]:
                case Assign(values=values):
                    variables |= {name: self._value(value) for name, value in values.items()}
                case Jump(to=to):
                    index = to - 1
                case Branch(test=test, otherwise=otherwise):
                    if not self._value(test):
                        index = otherwise - 1
                case Emit(value=value) if not only_decide:
                    self._emits.append(self._value(value))
                case Store(record=record, fields=fields) if not only_decide:
                    found = self._value(record)
                    if not isinstance(found, Record):
                        raise self._code.source.error(
                            operation.line, f"there is no record to write: {record} is {found!r}", "test it first"
                        )
                    values = {name: self._value(value) for name, value in fields.items()}
                    self._records.append(self._with_text(operation.line, self._program.written, found, values))
                case _:
                    return index
            index += 1
        raise self._code.source.error(
            operation.line, "a loop goes on without reading or calling", "check where it ends"
        )

    def _with_text(self, line: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function gives that raises ValueError for a value without a text."""
        try:
            return function(*arguments)
        except ValueError as error:
            raise self._code.source.error(line, str(error), "change its type hint") from None

    def _value(self, expression: Expression) -> Any:
        try:
            return expression.value(self._code.names, self._variables)
        except Exception as error:
            raise self._code.source.error(expression.line, described(error)) from error


def _identifier(name: str) -> str:
    """What the field for a variable is called, which is none of those for what is given."""
    return f"{name}__" if name in _WORDS else name.replace(".", "__")


def _fields_codec(kinds: Mapping[str, Kinds], *, whole: bool = False) -> Codec[Fields]:
    """The codec of fields in the order of the class, such as `next=C2 seen=no`."""
    codecs = {name: each.codec for name, each in kinds.items()}

    def parse(text: str) -> Fields:
        found = list[tuple[str, Any]]()
        for part in text.split(" "):
            name, _, value = part.partition("=")
            if name not in codecs:
                raise ValueError(f"{quoted(part, 24)} is not a field of {', '.join(codecs)}")
            found.append((name, codecs[name].parse(value)))
        names = [name for name, _ in found]
        if names != [name for name in codecs if whole or name in names]:
            raise ValueError(f"{quoted(text, 60)} does not have the fields {', '.join(codecs)} in this order")
        return tuple(found)

    def write(fields: Fields) -> str:
        return " ".join([f"{name}={codecs[name].format(value)}" for name, value in fields])

    return Codec(parse, write)


def _at_codec(kind: type[Record], kinds: Mapping[str, Kinds]) -> Codec[Shown]:
    """The codec of a record that is read: its name, and its fields once they are there."""
    name, contents = Kinds(records=frozenset({kind})).codec, _fields_codec(kinds, whole=True)

    def parse(text: str) -> Shown:
        named, colon, rest = text.partition(": ")
        return Shown(name.parse(named), contents.parse(rest) if colon else ())

    def write(shown: Shown) -> str:
        named = name.format(shown.reference)
        return f"{named}: {contents.format(shown.fields)}" if shown.fields else named

    return Codec(parse, write)


def _got_codec(kinds: Kinds) -> Codec[Any]:
    """The codec of a result, or of `?` as long as there is none."""
    codec = kinds.codec
    return Codec(
        lambda text: NOT_YET if text == "?" else codec.parse(text),
        lambda value: "?" if value is NOT_YET else codec.format(value),
    )
