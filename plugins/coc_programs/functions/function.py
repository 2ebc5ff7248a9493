"""A domain that is a function: its arguments and its result are Python values."""

import random
import re
from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from inspect import isgenerator
from itertools import chain
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from coc_core.domain import HasAnswer, ReadsText
from coc_core.errors import ActionFault, PluginError
from coc_core.plugin import DomainSpec
from coc_core.text import Codec, Form, Forms, counted, described, quoted, shortened
from coc_programs.domain import Program
from coc_programs.functions.telling import ToldRecord, followed, generated, is_told, teller, tells
from coc_programs.functions.values import Parameters, Values, fields_of, labelled, readings, shown, written
from coc_programs.kinds import every, hints_of, hints_of_results
from coc_programs.language import Call, Procedure, Told
from coc_programs.record import Record
from coc_programs.syntax.source import Source

SIZES = range(1, 1001)
"""The sizes of the problems of a function that states no others."""

Link = tuple[Any, Any] | None
"""The last of several things, and those before it."""


def _items(link: Link, until: Link = None) -> tuple[Any, ...]:
    """Return several things, the last one first; only those after others."""
    found = list[Any]()
    while link is not None and link is not until:
        found.append(link[0])
        link = link[1]
    return tuple(found)


@frozen
class Problem:
    """Arguments of a function: their text, and the size that they have been drawn for."""

    n: int
    text: str


@frozen
class Said:
    """A state: what has been told.

    Attributes:
        values: The texts of the values, the last one first.
        parts: The actions by which records of the next value have been told, the last one first.
        waiting: The numbers of those that have to be told, the next one first, each with the length of the way to it.
        count: How many records have been told of the next value.
    """

    problem: Problem
    values: Link = field(default=None, eq=_items, repr=False)
    parts: Link = field(default=None, eq=_items, repr=False)
    waiting: Link = field(default=None, eq=_items, repr=False)
    count: int = 0


class Function(Program[Problem, Any, Said], ReadsText[Problem], HasAnswer[Problem, Said]):
    """A function: a procedure, how to draw its arguments, and what Python gives for them.

    The type hints of `main` say what the arguments are and the result is. A class of records with a method `store` is
    given for a Python value, and one with a method `load` is a result; other records are given, and told by name, as
    they are. The result is told by actions when `main` has ended, after all that it tells itself.

    Example:
        >>> from typing import Annotated
        >>> from coc_programs import Function, Steps, procedure
        >>> Day = Annotated[int, range(7)]
        >>> @procedure
        ... def later(day: Day, days: Day) -> Steps[Day]:
        ...     if days == 0:
        ...         return day
        ...     return (yield later((day + 1) % 7, days - 1))
        >>> class Weekday(Function):
        ...     main = later
        ...
        ...     def draw(self, n, rng):
        ...         return rng.randrange(7), rng.randrange(7)
        ...
        ...     def reference(self, day, days):
        ...         return (day + days) % 7
    """

    sizes = SIZES
    actions = Forms()
    parameters: ClassVar[Parameters]
    spec: ClassVar[DomainSpec]
    """What a module without hooks offers it as."""
    results_of: ClassVar[tuple[Values, ...]]
    """The values of the result, or of each one if there are several."""

    @abstractmethod
    def draw(self, n: int, rng: random.Random) -> Any:
        """Draw the arguments of a problem of size `n`: a tuple, or the only argument."""

    @abstractmethod
    def reference(self, *arguments: Any) -> Any:
        """Return what the function gives; a generator function yields what is told before."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        if "main" in cls.__dict__:
            main, source = cls.main, Source(cls.main)
            cls.name = cls.__dict__.get("name") or re.sub("(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()
            with source.refusing(source.tree):
                hints = hints_of(main.function)
                cls.parameters = Parameters({name: Values.of(hints[name]) for name in main.parameters})
                cls.results_of = tuple(map(Values.of, hints_of_results(main.function)))
                _check_told(cls.results_of, cls.parameters.own)
                cls.main = _telling(main, hints, cls.results_of)
                cls.record_classes = cls.parameters.classes
            summary = (cls.__doc__ or "").partition("\n")[0].rstrip(".") or f"the function {main.name}"
            cls.spec = DomainSpec(cls.name, f"{cls.__module__}:{cls.__qualname__}", summary, memories=("heap",))
            cls.problems = Forms(Form.of(Problem, "n={n} {text}", text=Codec(cls._usual)))
        super().__init_subclass__(**arguments)

    @classmethod
    def _usual(cls, text: str) -> str:
        return written(cls.parameters.read(text)[0])

    def _problem(self, n: int, rng: random.Random) -> Problem:
        drawn = self.draw(n, rng)
        try:
            arguments = (drawn,) if len(self.parameters.values) == 1 else tuple(drawn)
            return Problem(n, self._usual(written(self.parameters.data(arguments))))
        except (TypeError, ValueError) as error:
            raise PluginError(f"draw({n}) of {self.name} gives {quoted(shown(drawn), 60)}: {error}") from None

    def read(self, text: str) -> Problem:
        data, arguments, records = self.parameters.read(text)
        size = max([len(records), *map(_length, arguments)])
        return Problem(min(max(size, self.sizes[0]), self.sizes[-1]), written(data))

    def size(self, problem: Problem) -> int:
        return problem.n

    def begin(self, problem: Problem) -> tuple[Call, Sequence[Record]]:
        stored, records, _ = _begun(type(self), problem.text)
        return self.main(*stored), records

    def kinds(self) -> Iterator[Call | Record]:
        """Return all calls that the types allow, and all records that the arguments have."""
        return chain(every(self.main), *map(every, self.record_classes))

    def initial(self, problem: Problem) -> Said:
        return Said(problem)

    def apply(self, state: Said, action: Told | ToldRecord) -> Said:
        if isinstance(action, ToldRecord):
            return self._record_told(state, action, action.record)
        if state.waiting is not None:
            raise ActionFault(f"record {state.waiting[0][0]} has to be told next, and it is {shown(action.value)}")
        return self._value_told(state, action.value)

    def _value_told(self, state: Said, value: Any) -> Said:
        try:
            text = written(labelled(value, _begun(type(self), state.problem.text)[2]))
        except ValueError as error:
            raise ActionFault(str(error)) from None
        return Said(state.problem, (text, state.values))

    def _record_told(self, state: Said, action: ToldRecord, record: Record) -> Said:
        expected, waiting, depth = record.number, None, 1
        if state.waiting is not None:
            (expected, depth), waiting = state.waiting
        if record.number != expected:
            raise ActionFault(f"record {expected} has to be told next, and it is {record}")
        given = len(_begun(type(self), state.problem.text)[2])
        for value in reversed([*followed(record)]):
            if is_told(type(value)) or value.number > given:
                waiting = (value.number, depth + 1), waiting
        parts = action, state.parts
        if waiting is not None:
            count = state.count + 1
            if count >= _LOOKED and not count & (count - 1) and depth > len({each.it for each in _items(parts)}):
                raise ActionFault(f"what is told goes round: {record} leads to itself")
            return evolve(state, parts=parts, waiting=waiting, count=count)
        records = [each.record for each in _items(parts)]
        told, first = {each.number: each for each in records}, records[-1]
        try:
            value = first.load(lambda reference: told.get(reference.number, reference))
        except Exception as error:
            raise ActionFault(f"no {type(first).__name__} can be made of what is told: {described(error)}") from None
        return self._value_told(state, value)

    def is_goal(self, problem: Problem, state: Said) -> bool:
        return not self.doubt(problem, state)

    def doubt(self, problem: Problem, state: Said) -> str:
        right, told = _right(self, problem.text), [*reversed(_items(state.values))]
        if right == told and state.parts is None:
            return ""
        pairs = enumerate(zip([*right, ""], [*told, ""], strict=False))
        at = next((at for at, (one, other) in pairs if one != other), len(right))
        wrong, instead = (shortened(each[at], 60) if at < len(each) else "nothing" for each in (told, right))
        what = "the answer" if len(right) == 1 else f"value {at + 1:,}"
        return f"{what} is {wrong}, and right is {instead}"

    def answer(self, state: Said) -> Any:
        """Return the result, or a list of several; of a program that tells values, a list of these and the result."""
        told = [readings(text)[0] for text in reversed(_items(state.values))]
        single = len(self.results_of) <= 1 and not tells(self.compiled)
        return (told[0] if told else None) if single else told

    def added(self, before: Said, after: Said) -> str:
        return "".join(f"{_line(text)}\n" for text in reversed(_items(after.values, before.values)))

    def render(self, state: Said, width: int) -> str:
        lines = [*map(_line, reversed(_items(state.values)[:_SHOWN]))] or ["nothing is told yet"]
        lines += [f"of the next one, {counted(state.count, 'record')}"] if state.count else []
        return "\n".join(line[at : at + width] for line in lines for at in range(0, len(line) or 1, width))


_LOOKED, _SHOWN = 1 << 10, 20


def _line(text: str) -> str:
    """Return the text of a value as people write it: a text without its quotes."""
    return readings(text)[0] if text.startswith('"') else text


def _length(value: Any) -> int:
    if isinstance(value, int):
        return len(written(abs(value)))
    return len(value) if isinstance(value, str | list | dict) else 1


def _check_told(results: Sequence[Values], named: Collection[type[Record]]) -> None:
    """Raise TypeError for a result that nothing could be made of."""
    queue = [*results]
    for values in queue:
        for kind, given in values.classes:
            if is_told(kind):
                queue += [each for each in fields_of(kind, *given).values() if each not in queue]
            elif kind not in named:
                raise TypeError(f"a result has a {kind.__name__}, which has no `load`, and no argument names one")


def _telling(main: Procedure, hints: Mapping[str, Any], results: Sequence[Values]) -> Procedure:
    """Return a procedure that calls a function, and tells its result."""
    if not results:
        return main
    mark = "_" * (max(map(len, main.parameters), default=0) + 1)  # no argument is called like that
    found = [f"result{number}{mark}" for number in range(1, len(results) + 1)]
    names: dict[str, Any] = {f"main{mark}": main}
    lines = [f"{', '.join(found)} = yield main{mark}({', '.join(main.parameters)})"]
    for name, values in zip(found, results, strict=True):
        names[f"tell_{name}"] = teller(values) if any(is_told(kind) for kind, _ in values.classes) else Told
        lines.append(f"yield tell_{name}({name})")
    return generated(f"answer_{main.name}", {name: hints[name] for name in main.parameters}, lines, names)


@lru_cache(8)
def _begun(function: type[Function], text: str) -> tuple[list[Any], list[Record], Sequence[str]]:
    """Return the arguments of a program's call, all records, and the names of those that the problem names."""
    _, arguments, records = function.parameters.read(text)
    return *function.parameters.stored(arguments, [*records.values()]), [*records]


@lru_cache(8)
def _right(function: Function, text: str) -> list[str]:
    _, arguments, records = function.parameters.read(text)
    try:
        result, told = function.reference(*arguments), list[Any]()
        if isgenerator(result):
            result = _exhausted(result, told)
        many = len(function.results_of)
        told += [result] if many == 1 else result if many else []
        return [written(labelled(value, [*records])) for value in told]
    except Exception as error:
        raise PluginError(f"the reference of {function.name}, given {quoted(text, 60)}: {described(error)}") from error


def _exhausted(generator: Any, told: list[Any]) -> Any:
    """Return the result of a generator; what it yields is added to a list."""
    while True:
        try:
            told.append(next(generator))
        except StopIteration as stop:
            return stop.value
