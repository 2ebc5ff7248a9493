"""What the puzzles share: an action, answers to items, texts, and the records that a run begins with."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from attrs import frozen

from coc_core.domain import Domain, PlanFormat
from coc_core.text import Codec, parse_decimal
from coc_programs import Call, Record
from coc_programs.functions.values import reachable


@frozen
class Report:
    """The action: report that there is no solution."""


class Answer(PlanFormat[Any, Any, Any]):
    """A text that follows from the last state of a run, such as the grid of a Sudoku. It is written, and not read."""

    def __init__(self, domain: Domain[Any, Any, Any, Any], problem: Any, answer: Callable[[Any], str]) -> None:
        super().__init__(domain, problem)
        self._state, self._answer = domain.initial(problem), answer

    def write(self, state: Any, action: Any) -> str:
        self._state = self.domain.apply(state, action)
        return ""

    @property
    def closing(self) -> str:  # type: ignore[override]
        """The answer."""
        return f"{self._answer(self._state)}\n"

    def begins(self, line: str) -> bool:
        return False

    def entries(self, lines: Iterable[str]) -> Iterator[str]:
        raise ValueError("an answer to an item is not a plan")


def numbers(separator: str) -> Codec[tuple[int, ...]]:
    """Return the codec of numbers with a separator between them."""
    return Codec(
        lambda text: tuple(map(parse_decimal, text.split(separator))), lambda them: separator.join(map(str, them))
    )


def linked(records: Iterable[Record], field: str = "next") -> Any:
    """Make a chain of records by one of their fields, and return the first one, or None."""
    found = list(records)
    for record, following in pairwise(found):
        setattr(record, field, following)
    return found[0] if found else None


def begun(call: Call, named: Iterable[Record]) -> tuple[Call, Sequence[Record]]:
    """Return a call and all records: first those that actions name, by number, then all that can be reached."""
    return call, reachable([*named, *call.arguments])
