"""A domain whose policy is a program."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, ClassVar, TypeVar

from coc_core.domain import Domain, HasSource, StoresRecords
from coc_core.errors import PluginError
from coc_core.text import Form, Forms
from coc_core.types import Step
from coc_programs.compiled import Compiled
from coc_programs.direct import numbered
from coc_programs.functions.telling import ToldRecord, told_forms
from coc_programs.kinds import every
from coc_programs.language import Call, Procedure, Told
from coc_programs.record import Record, watching_comparisons
from coc_programs.texts import Ended

ProblemT = TypeVar("ProblemT")
ActionT = TypeVar("ActionT")
StateT = TypeVar("StateT")


class Program(Domain[ProblemT, Any, ActionT, StateT], StoresRecords[ProblemT, Any], HasSource[Any]):
    """A domain whose policy is a program: ordinary Python generator functions, which are compiled to instructions.

    An author states the procedure that a run begins with, and what it begins with; and, as for every `Domain`, the
    problems, the actions and the rules.

    Example:
        >>> from attrs import frozen
        >>> from coc_programs import procedure
        >>> @frozen
        ... class Knock:
        ...     times: int
        >>> @procedure
        ... def countdown(n: int) -> None:
        ...     if n > 0:
        ...         yield Knock(n)
        ...         yield countdown(n - 1)
    """

    main: ClassVar[Procedure]
    """The procedure that a run begins with."""

    record_classes: ClassVar[Sequence[type[Record]]] = ()
    """Classes of records that there may be although procedures refer to them only as to any `Record`."""

    compiled: ClassVar[Compiled]
    """The compiled program."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "main" in cls.__dict__:
            compiled = cls.compiled = Compiled(cls.main, *cls.record_classes)
            own = (form for form in cls.actions if not issubclass(form.record, Told | ToldRecord))
            cls.actions = Forms(*own, *told_forms(compiled.codes.values()))
            compiled.check_emissions(cls.actions, cls.notes)
            cls.instructions, cls.results = compiled.instructions, compiled.results
            cls.notes = Forms(*(form for form in cls.notes if form.record is not Ended), Form.of(Ended, "RETURN"))
            cls.needs = frozenset()
            if compiled.records:
                cls.needs |= {"records"}
            if any(compiled.results):
                cls.needs |= {"results"}
            cls.interchangeable_names = compiled.letters
            cls.finitely_many_kinds = not compiled.growing

    @abstractmethod
    def begin(self, problem: ProblemT) -> tuple[Call, Sequence[Record]]:
        """Return the call that solves a problem, and the records of the problem.

        A record's number is its place in the list, from 1: that of `C7` is the seventh.
        """

    def every_kind(self) -> Iterator[Call | Record]:
        """Return all calls and records that the types allow: what `kinds` states by default, or some of which it
        states.
        """
        return chain(every(self.main), *map(every, self.compiled.records))

    def kinds(self) -> Iterable[Any] | None:
        return self.every_kind() if any(hasattr(kind, "kinds") for kind in self.compiled.records) else None

    def begun(self, problem: ProblemT) -> Sequence[Any]:
        """Return the records of a problem and, last, the instruction that its run begins with."""
        call, records = self.begin(problem)
        written = [self.compiled.written(record, record.fields) for record in numbered(call, records)]
        return (*written, self.compiled.start(call, records))

    def start(self, problem: ProblemT) -> Any:
        return self.begun(problem)[-1]

    def records(self, problem: ProblemT) -> Iterable[Any]:
        return self.begun(problem)[:-1]

    def expand(self, instruction: Any) -> Step[Any, ActionT]:
        return self.compiled.step(instruction)

    def comparisons(self, instruction: Any) -> Sequence[tuple[int, int]]:
        with watching_comparisons() as compared, suppress(PluginError):  # the step itself will raise it
            self.expand(instruction)
        return compared

    def source_of(self, instruction: Any) -> str:
        place = self.compiled.place(instruction)
        return "" if place is None else f"{place.code.source.file}:{place.line} in {place.name}"
