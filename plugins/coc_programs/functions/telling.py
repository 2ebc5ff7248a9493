"""Telling a value: its records one by one, each by an action of the step that has read it.

So a result follows from the actions alone, and nobody has to believe what a memory holds.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, cast

from attrs import frozen, make_class

from coc_core.text import Form
from coc_programs.functions.values import Values, fields_of
from coc_programs.kinds import NOTHING, Kinds, field_kinds, union
from coc_programs.language import Procedure, Told, read
from coc_programs.operations import CallProcedure, Emit
from coc_programs.record import Record


class ToldRecord:
    """An action: a record is told, with all its fields.

    Attributes:
        kind: The class of the record.
        names: The name of each field of the record, by that of the action's.
        it: The record.
    """

    kind: ClassVar[type[Record]]
    names: ClassVar[Mapping[str, str]]
    it: Record

    @property
    def record(self) -> Record:
        """The record with its fields."""
        return self.kind.at(self.it.number, {name: getattr(self, each) for each, name in self.names.items()})


_classes = dict[Any, type[ToldRecord]]()
_tellers = dict[Any, Procedure]()


def told_class(kind: type[Record]) -> type[ToldRecord]:
    """Return the class of the actions that tell a record of a class."""
    if kind in _classes:
        return _classes[kind]
    names = {f"v{number}": name for number, name in enumerate(kind.field_names(), 1)}
    made: Any = make_class(f"Told{kind.__name__}", ["it", *names], bases=(ToldRecord,), frozen=True)
    made.kind, made.names = kind, names
    _classes[kind] = made
    return made  # type: ignore[no-any-return]


def form_of(kind: type[Record]) -> Form[Any]:
    """Return the form of the actions that tell a record of a class, such as `Digit D1: value=3 next=D2`."""
    told, kinds = told_class(kind), field_kinds(kind)  # type: ignore[arg-type]  # a class can be hashed
    words = [f"{name}={{{each}}}" for each, name in told.names.items()]
    codecs = {each: kinds[name].codec for each, name in told.names.items()}
    its = Kinds(records=frozenset({kind})).codec
    return Form.of(told, f"{kind.__name__} {{it}}: {' '.join(words)}", it=its, **codecs)


def is_told(kind: type[Record]) -> bool:
    """Return whether records of a class are told field by field, since it says what value they make."""
    return hasattr(kind, "load")


def followed(record: Record) -> Iterator[Record]:
    """Yield the references of a record that has been read, in order, whose records are told after it.

    A class may name a field that says, where it is true, that none is: `ends = "last"`.
    """
    ends = getattr(type(record), "ends", None)
    if ends is None or not record.fields[ends]:
        yield from (each for each in record.fields.values() if isinstance(each, Record))


def told_one_by_one(value: Any, copied: Callable[[Record], Record]) -> Iterator[Any]:
    """Yield the actions that tell a value, in order; `copied` reads a record."""
    if not (isinstance(value, Record) and is_told(type(value))):
        yield Told(value)
        return
    queue = [value]
    while queue:
        read = copied(queue.pop())
        yield told_class(type(read))(read, *read.fields.values())  # type: ignore[call-arg]
        queue += reversed([each for each in followed(read) if is_told(type(each))])


def teller(values: Values) -> Procedure:
    """Return the procedure that tells a value, by the actions of `told_one_by_one`.

    Raises:
        TypeError: It may be something else than None or a record that is told field by field.
    """
    told = values.classes
    if not (NOTHING.covers(values.plain) and all(is_told(kind) for kind, _ in told)):
        raise TypeError(f"{values} is partly told by its name, and partly field by field")
    if len(told) == 1 and values.plain == Kinds():
        return _teller_of(*told[0])
    lines, names = list[str](), dict[str, Any]({"cast": cast, "Told": Told})
    for number, (kind, given) in enumerate(told):
        names |= {f"K{number}": kind, f"tell{number}": _teller_of(kind, given)}
        lines += [f"if isinstance(it, K{number}):", f"    yield tell{number}(cast(K{number}, it))", "    return"]
    if values.plain != Kinds():
        lines.append("yield Told(None)")
    return generated(f"tell_{values.word}", {"it": values.hint}, lines, names)


def _teller_of(kind: type[Record], given: tuple[Values, ...]) -> Procedure:
    """Return the procedure that tells a record."""
    if (found := _tellers.get((kind, given))) is not None:
        return found
    names: dict[str, Any] = {"cast": cast, "read": read, "Told": told_class(kind)}
    shown = ", ".join(["it", *(f"here.{name}" for name in kind.field_names())])
    lines, calls = ["here = yield read(it)", f"yield Told({shown})"], dict[str, Any]()
    if ends := getattr(kind, "ends", None):
        lines += [f"if here.{ends}:", "    return"]
    for name, values in fields_of(kind, *given).items():
        told = [each for each in values.classes if is_told(each[0])]
        simple = len(values.classes) == 1 and NOTHING.covers(values.plain)
        for one in told:
            test = f"isinstance(here.{name}, K{len(calls)})" if not simple else f"here.{name}"
            call = f"yield tell{len(calls)}(cast(K{len(calls)}, here.{name}))"
            lines += [f"if {test}:", f"    {call}"] if not simple or values.plain != Kinds() else [call]
            calls[f"tell{len(calls)}"] = names[f"K{len(calls)}"] = one
    word = Values(Kinds(), ((kind, given),)).word
    found = _tellers[kind, given] = generated(f"tell_{word}", {"it": kind}, lines, names)
    for name, one in calls.items():  # which may be the same again
        names[f"K{name[4:]}"], names[name] = one[0], _teller_of(*one)
    return found


def tells(compiled: Any) -> bool:
    """Return whether the procedures of an author tell something, beside what comes of them."""
    own = [code for code in compiled.codes.values() if not _is_generated(code.procedure)]
    return any(
        (isinstance(each, CallProcedure) and _is_generated(each.procedure)) or _told_by(each) is Told
        for code in own
        for each in code.operations
    )


def told_forms(codes: Iterable[Any]) -> Iterator[Form[Any]]:
    """Yield the forms of the actions that tell values; PluginError for a value of which it is not known how."""
    values, emits = list[Kinds](), False
    records = dict[type[Record], None]()
    for code in codes:
        for operation in code.operations:
            told = _told_by(operation)
            if told is Told:
                emits = True
                (argument,) = operation.value.node.args
                values.append(code.typing.of(argument))
                if unknown := [kind.__name__ for kind in values[-1].records if is_told(kind)]:
                    problem = f"a {unknown[0]} is told, and its type is not known here"
                    code.source.refuse(operation.line, problem, "give it to a variable with a type hint")
            elif told is not None:
                records[told.kind] = None
    yield from map(form_of, records)
    if emits:
        yield Form.of(Told, "Tell {value}", value=union(values).codec)


def _told_by(operation: Any) -> Any:
    """Return the class of the action by which an operation tells something; None if it does not."""
    made = operation.made if isinstance(operation, Emit) else None
    return made if made is not None and issubclass(made, Told | ToldRecord) else None


def _is_generated(procedure: Procedure) -> bool:
    return procedure.function.__code__.co_filename in _TEXTS


@frozen
class _Text:
    """The source of a generated procedure, for Python's `linecache`."""

    text: str

    def get_source(self, module: str) -> str:
        """Return it, whatever the module."""
        return self.text


_TEXTS = dict[str, _Text]()


def generated(name: str, hints: Mapping[str, Any], lines: Iterable[str], names: Mapping[str, Any]) -> Procedure:
    """Return a procedure with these lines, in which names mean these things."""
    text = f"def {name}({', '.join(f'{each}: 0' for each in hints if each != 'return')}):\n"
    text += "".join(f"    {line}\n" for line in lines)
    file = f"generated {name}"
    while _TEXTS.setdefault(file, _Text(text)).text != text:
        file += "'"
    scope: Any = names  # that of a loop of procedures gets them later
    scope |= {"__name__": __name__, "__loader__": _TEXTS[file]}  # so that Python finds the lines
    exec(compile(text, file, "exec"), scope)
    function = scope[name]
    function.__annotations__ = dict(hints)
    return Procedure(function)
