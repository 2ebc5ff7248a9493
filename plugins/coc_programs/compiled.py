"""A program compiled to instructions, each a place in a procedure and the variables that are still needed there."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from attrs import evolve

from coc_core.errors import PluginError
from coc_core.text import POSITIVE, Codec, Form, Forms, described, names_in
from coc_core.types import Step
from coc_programs.analysis import Signature
from coc_programs.emissions import check_emissions
from coc_programs.kinds import Kinds, union
from coc_programs.language import Call, Procedure
from coc_programs.operations import Assign, Branch, CallProcedure, Emit, Jump, MakeRecord, ReadRecord, Return, Store
from coc_programs.places import Code, Place
from coc_programs.record import Record
from coc_programs.syntax.source import Expression
from coc_programs.texts import AT, GOT, NOT_YET, Ended, Result, Shown, Written, any_result_codec, fields_codec

_BEGIN_PARTS, _ON_TAPES = {"AT", "GOT", "OUTPUT", "WRITE", "RETURN", "PUSH"}, {"PTR", "prev"}
"""What separates the parts of texts: no procedure may be called so; nor, where there are no records, a variable."""

_MOST_OPERATIONS = 100_000
"""The most operations of a step. Each loop that has to go on for longer reads records, or calls."""


class Compiled:
    """A program: its procedures, and what a step does.

    Args:
        main: The procedure that a run begins with. Those that it calls are found.
        classes: Classes of records that there may be although it only refers to them as to any `Record`.

    Attributes:
        codes: The procedures, the first one `main`.
        records: The classes of records, in the order in which they were found.
        letters: What the names of records begin with.
        instructions: The forms of instructions and records.
        results: The form of what procedures return.

    Raises:
        PluginError: It can't be compiled. The error names the line and says what to do.
    """

    def __init__(self, main: Procedure, *classes: type[Record]) -> None:
        self.codes = {main: Code(main)}
        self.forms: dict[type[Any], Form[Any]] = {}  # of actions and notes, once they are checked
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
        self.records = self._all_records(signatures, classes)
        self._places = {place.form.record: place for code in self.codes.values() for place in code.places}
        self._written = {kind: self._written_form(kind, fields) for kind, fields in self.records.items()}
        self.instructions: Forms[Any] = Forms(
            *(place.form for place in self.places if place.is_used), *self._written.values()
        )
        results = [kinds for each in signatures.values() for kinds in each.results]
        returned = evolve(union(results), records=frozenset(kind for each in results for kind in each.records))
        self.results: Forms[Any] = Forms()
        if returned != Kinds():
            self.results = Forms(Form.of(Result, "{value}", value=any_result_codec(returned)))

    def check_emissions(self, *forms: Forms[Any]) -> None:
        """Raise PluginError, with the line, if no form is for what a procedure yields, or its text is wrong for a
        record.
        """
        self.forms = {form.record: form for each in forms for form in each}
        for code in self.codes.values():
            check_emissions(code, self.letters, self.forms)

    @property
    def growing(self) -> Sequence[str]:
        """The variables, fields and results that are numbers without a limit, so that prompts grow with them."""
        kinds = {
            f"{place.name}: {name}": place.code.typing.kinds[name] for place in self.places for name in place.variables
        }
        kinds |= {
            f"{kind.__name__}.{name}": each for kind, fields in self.records.items() for name, each in fields.items()
        }
        kinds |= {f"the result of {code.procedure.name}": union(code.signature.results) for code in self.codes.values()}
        return [name for name, each in kinds.items() if each.grows]

    @property
    def places(self) -> Sequence[Place]:
        """Where steps begin, procedure by procedure."""
        return tuple(self._places.values())

    def place(self, frame: Any) -> Place | None:
        """Return where the step for an instruction begins; None for a record."""
        return self._places.get(type(frame))

    def written(self, record: Record, fields: Mapping[str, Any]) -> Written:
        """Return a record as an instruction that is never run.

        Raises:
            TypeError: The program refers to no record of its class.
            ValueError: A field has a value that no text is for.
        """
        form = self._written.get(type(record))
        if form is None:
            raise TypeError(f"no argument, variable or field of the program refers to a {type(record).__name__}")
        made = self.not_checked(record, fields)
        form.codecs["fields"].format(made.fields)
        return made

    def not_checked(self, record: Record, fields: Mapping[str, Any]) -> Written:
        """Return a record as `written` does, also if there is no text for a field's value."""
        ordered = tuple((name, fields[name]) for name in self.records[type(record)] if name in fields)
        return self._written[type(record)].record(record, ordered)  # type: ignore[no-any-return]

    def start(self, call: Call, records: Sequence[Record]) -> Any:
        """Return the instruction that begins a call, together with the record that it reads."""
        for code in self.codes.values():
            code.source.check_meanings()
        if call.procedure is not self._main.procedure:
            raise TypeError(f"a run begins with {self._main.procedure.name}, not {call.procedure.name}")
        arguments = dict(zip(call.procedure.parameters, call.arguments, strict=True))
        first = self._main.places[0].frame(arguments)
        (frame,) = self.settled(self._main, 0, arguments) or (first,)
        if hasattr(frame, AT):
            read = records[getattr(frame, AT).reference.number - 1]
            return evolve(frame, **{AT: Shown(read, tuple(read.fields.items()))})
        return frame

    def step(self, frame: Any) -> Step[Any, Any]:
        """Return what the step for an instruction does.

        Raises:
            PluginError: The program has gone wrong. The error names the line.
        """
        place = self._places.get(type(frame))
        variables = None if place is None else self._begin(place, frame)
        if place is None or variables is None:
            return Step((Ended(),))
        return _Run(self, place.code, variables).step(place.code.body.waits[place.label] + 1)

    def _begin(self, place: Place, frame: Any) -> dict[str, Any] | None:
        """Return the variables where a step begins; None if what it waits for is not there."""
        variables = {name: getattr(frame, each) for name, each in place.variables.items()}
        wait = place.wait
        if isinstance(wait, ReadRecord):
            fields = getattr(frame, AT).fields
            if not fields:
                return None
            reference = getattr(frame, AT).reference
            if wait.record.is_variable:
                variables[wait.record.variables[0]] = reference
            if wait.target is not None:
                variables[wait.target] = reference
                variables.update({f"{wait.target}.{name}": value for name, value in fields})
        elif isinstance(wait, CallProcedure) and hasattr(frame, GOT):
            if getattr(frame, GOT) is NOT_YET:
                return None
            if wait.parts:
                variables.update(zip(wait.parts, getattr(frame, GOT), strict=True))
            elif wait.target is not None:
                variables[wait.target] = getattr(frame, GOT)
        return variables

    def settled(self, code: Code, label: int, variables: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return what is left to do at a place: an instruction, or none.

        If all there is to do first is to read a record, it is the instruction that reads it.
        """
        run = _Run(self, code, dict(variables))
        try:
            found = run.to_read(code.body.waits[label] + 1)
        except PluginError:  # that step itself will raise it, after what comes before it
            found = None
        return (code.places[label].frame(variables),) if found is None else found

    def _all_records(
        self, signatures: Mapping[Procedure, Signature], classes: Collection[type[Record]]
    ) -> dict[type[Record], dict[str, Kinds]]:
        found = dict[type[Record], dict[str, Kinds]]()
        code = self._main
        kinds = [kinds for each in signatures.values() for kinds in (*each.arguments.values(), *each.results)]
        kinds += [kinds for each in self.codes.values() for kinds in each.typing.kinds.values()]
        kinds += [
            code.typing.of(each.record.node)
            for code in self.codes.values()
            for each in code.operations
            if isinstance(each, ReadRecord | Store)
        ]
        made = {each.kind for code in self.codes.values() for each in code.operations if isinstance(each, MakeRecord)}
        named = frozenset(kind for each in kinds for kind in each.records)
        queue = sorted(named | made, key=lambda kind: kind.__name__)
        for kind in queue:
            if kind not in found:
                found[kind] = code.typing.fields(kind, code.source.tree.lineno)
                fields = {each for kinds in found[kind].values() for each in kinds.records}
                fields |= {*classes} if kind is Record else set()
                queue.extend(sorted(fields, key=lambda kind: kind.__name__))
        self.letters = frozenset(kind.letters for kind in found)
        for kind in found:
            for other in found:
                if kind is not other and other.letters.startswith(kind.letters):
                    problem = f"the names of {other.__name__} and {kind.__name__} both begin with {kind.letters}"
                    own, _ = sorted((other, kind), key=lambda each: each.__module__.startswith("coc_programs."))
                    remedy = f'write `class {own.__name__}(Record, letters="...")`'
                    code.source.refuse(code.source.tree, problem, remedy)
            if not found[kind] and kind is not Record:
                code.source.refuse(code.source.tree, f"{kind.__name__} has no fields", "give it one, or leave it out")
        found.pop(Record, None)
        for code in self.codes.values():
            names = [code.procedure.name, *code.typing.kinds, *(name for fields in found.values() for name in fields)]
            for name in names_in(" ".join(names), self.letters):
                problem = f"{name!r} could be the name of a record"
                code.source.refuse(code.source.tree, problem, "choose another name, or letters")
            for name in names:
                if not (name.isascii() and all(map(str.isidentifier, name.split(".")))):
                    code.source.refuse(code.source.tree, f"{name!r} is not a name in ASCII", "choose another name")
            on_tapes = set[str]() if found else {*code.typing.kinds} & _ON_TAPES
            for name in {code.procedure.name} & _BEGIN_PARTS | on_tapes:
                code.source.refuse(code.source.tree, f"{name!r} is a word of memories", "choose another name")
        return found

    @staticmethod
    def _written_form(kind: type[Record], fields: Mapping[str, Kinds]) -> Form[Any]:
        record = type(f"Written{kind.__name__}", (Written,), {})
        codec = Kinds(records=frozenset({kind})).codec
        number = Codec(
            lambda text: codec.parse(kind.letters + text),
            lambda value: value.name[len(kind.letters) :],
            rf"(?:\+1|{POSITIVE})",
        )
        return Form.of(
            record, f"{kind.letters}{{reference}}: {{fields}}", reference=number, fields=fields_codec(fields)
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
            case Return() if code.signature.returns:
                pairs = zip(code.signature.results, operation.values, strict=True)
                all_of = tuple(None if each is None else kinds.taken(self._value(each)) for kinds, each in pairs)
                result = Result(all_of if len(all_of) > 1 else all_of[0])
                self._with_text(operation.line, code.result.format, result.value)
            case ReadRecord(record=record):
                then = (self._reading(operation, record),)
            case MakeRecord(target=target, kind=kind, fields=fields):
                values = {name: self._value(value) for name, value in fields.items()}
                made = kind.at(-1)
                if target is not None:
                    variables |= {target: made} | {f"{target}.{name}": value for name, value in values.items()}
                rest = _Run(program, code, dict(variables))
                rest._emits, rest._records = [*self._emits], [*self._records, program.not_checked(made, values)]
                with suppress(PluginError):  # the next step itself will raise it
                    end = rest._advance(index + 1)
                    if isinstance(code.operations[end], ReadRecord | Return):
                        (whole,) = (each.fields for each in rest._records if _is_new(each.reference))
                        self._with_text(operation.line, program.written, made, dict(whole))
                        return rest.step(end)
                self._records.append(self._with_text(operation.line, program.written, made, values))
                then = (code.places[operation.label].frame(variables),)
            case CallProcedure(label=label, procedure=procedure, arguments=arguments):
                called, place = program.codes[procedure], code.places[label]
                values = dict(zip(procedure.parameters, map(self._value, arguments), strict=True))
                then = program.settled(called, 0, values)
                if GOT in place.form.codecs and index not in code.tails:
                    then = (*then, place.frame(variables, **{GOT: NOT_YET}))
                elif index not in code.tails:
                    then = (*then, *program.settled(code, label, variables))
        emits = tuple(self._emits)
        if not (emits or self._records or then or result):
            emits = (Ended(),)
        return Step(emits, (*self._records, *then), result=result)

    def to_read(self, index: int) -> tuple[Any, ...] | None:
        """Return, if nothing is done before a record is read, or the end, the instruction that reads it, or none; else
        None.
        """
        index = self._advance(index, only_decide=True)
        operation = self._code.operations[index]
        if isinstance(operation, ReadRecord):
            return (self._reading(operation, operation.record),)
        return () if isinstance(operation, Return) and not self._code.signature.returns else None

    def _reading(self, operation: ReadRecord, record: Expression) -> Any:
        found = self._value(record)
        if not isinstance(found, Record):
            problem = f"there is no record to read: {record} is {found!r}"
            raise self._code.source.error(operation.line, problem, "test it first")
        return self._code.places[operation.label].frame(self._variables, **{AT: Shown(found)})

    def _advance(self, index: int, *, only_decide: bool = False) -> int:
        """Return the index of the operation that ends the step, after all before it; or only those without an
        effect.
        """
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
                case Emit(value=value) if not (only_decide or any(map(_is_new, map(variables.get, value.variables)))):
                    self._emits.append(made := self._value(value))
                    if form := self._program.forms.get(type(made)):
                        self._with_text(operation.line, form.format, made)
                case Store(record=record, fields=fields) if not only_decide:
                    found = self._value(record)
                    if not isinstance(found, Record):
                        problem = f"there is no record to write: {record} is {found!r}"
                        raise self._code.source.error(operation.line, problem, "test it first")
                    values = {name: self._value(value) for name, value in fields.items()}
                    if _is_new(found):  # it is written once, whole
                        (at,) = (at for at, each in enumerate(self._records) if _is_new(each.reference))
                        values = dict(self._records.pop(at).fields) | values
                    self._records.append(self._with_text(operation.line, self._program.written, found, values))
                case _:
                    return index
            index += 1
        problem = "a loop goes on without reading or calling"
        raise self._code.source.error(operation.line, problem, "check where it ends")

    def _with_text(self, line: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function gives that raises ValueError for a value without a text."""
        try:
            return function(*arguments)
        except ValueError as error:
            raise self._code.source.error(line, str(error), "change its type hint") from None

    def _value(self, expression: Expression) -> Any:
        try:
            return expression.value(self._code.names, self._variables)
        except PluginError:  # of a cast
            raise
        except Exception as error:
            raise self._code.source.error(expression.line, described(error)) from error


def _is_new(value: Any) -> bool:
    return isinstance(value, Record) and value.number < 0
