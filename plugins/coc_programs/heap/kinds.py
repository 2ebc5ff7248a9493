"""The kinds of records and instructions that runs begin with: those that a domain states, or all that its types allow.

A kind is the text of a record, or of an instruction without the record that it reads, with its names numbered by place.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from coc_core.domain import StoresRecords, number_new, split_record, why_unsolvable, without_record
from coc_core.errors import PluginError, UnsupportedError
from coc_core.text import described, number_names, quoted
from coc_programs.domain import Program
from coc_programs.language import Call
from coc_programs.record import Record, watching_comparisons


def kind_of(text: str, letters: Collection[str]) -> str:
    """Return the kind of the text of a record or an instruction, in which names have these letters."""
    return number_names(number_new(text if split_record(text) else without_record(text), 1), letters)[0]


def begun(domain: Any, problem: Any) -> Sequence[Any]:
    """Return the records of a problem, if there are any, and the instruction that its run begins with."""
    if isinstance(domain, Program):
        return domain.begun(problem)
    return *(domain.records(problem) if isinstance(domain, StoresRecords) else ()), domain.start(problem)


def kinds_begun(domain: Any, problem: Any) -> Iterator[str]:
    """Yield the kinds that the run of a problem begins with."""
    for each in begun(domain, problem):
        yield kind_of(domain.instructions.format(each), domain.interchangeable_names)


@lru_cache(maxsize=16)
def stated_kinds(domain: Any) -> Mapping[str, None] | None:
    """Return the kinds that a domain states, in order; None if it states none. PluginError if they are wrong."""
    try:
        stated = domain.kinds()
        return None if stated is None else _texts(domain, stated)
    except Exception as error:
        raise PluginError(f"`kinds()` of the domain {domain.name}: {described(error)}") from error


@lru_cache(maxsize=16)
def first_kinds(domain: Any) -> Mapping[str, None]:
    """Return the kinds that runs of any problem begin with, in order: the one list that all prompts follow from.

    Raises:
        PluginError: The domain does not state them, and they don't follow from its types.
    """
    stated = stated_kinds(domain)
    if stated is None and not isinstance(domain, Program):
        problem = f"the domain {domain.name} says that its records are of finitely many kinds, and not which"
        raise PluginError(problem, remedy="state those that runs begin with in `kinds()`")
    return _texts(domain, domain.every_kind()) if stated is None else stated


def check_kinds(domain: Any, problem: Any, begun: Iterable[str]) -> None:
    """Refuse a problem whose run begins with a kind that is not stated: UnsupportedError, unless it has no solution."""
    is_finite = isinstance(domain, StoresRecords) and domain.finitely_many_kinds
    stated, letters = stated_kinds(domain) if is_finite else None, domain.interchangeable_names
    if stated is not None:
        name = re.compile(rf"(?<![A-Za-z0-9])({'|'.join(letters)})[0-9]+")
        alike = {name.sub(r"\1", text): text for text in begun}  # those that differ in names alone are of one kind
        other = next((text for text in alike.values() if kind_of(text, letters) not in stated), None)
        if other is not None and why_unsolvable(domain, problem) is None:
            raise UnsupportedError(
                f"the run begins with {quoted(other, 120)}, which is none of the {len(stated):,} kinds that"
                f" {domain.name} states",
                remedy="choose another problem; in a domain of your own, add it to `kinds()`",
            )


def _texts(domain: Any, kinds: Iterable[Any]) -> Mapping[str, None]:
    begun = chain.from_iterable(_written(domain, kind) for kind in kinds)
    return {kind_of(domain.instructions.format(each), domain.interchangeable_names): None for each in begun}


def _written(domain: Any, kind: Any) -> Iterable[Any]:
    """Return a record or an instruction; of a program, the record, or the instructions that a call may begin with."""
    if not isinstance(domain, Program):
        return (kind,)
    if isinstance(kind, Record):
        fields = {name: _placed(value, 1) for name, value in kind.fields.items()}
        return (domain.compiled.written(kind.at(1), fields),)
    given, found = kind.arguments, list[Any]()
    queue = [tuple(_placed(each, given.index(each) + 1) for each in given)]
    for arguments in queue:
        with watching_comparisons() as compared:
            found.append(domain.compiled.start(Call(kind.procedure, arguments), arguments))
        for one, other in compared:  # they may also be the same
            if type(arguments[one - 1]) is type(arguments[other - 1]):
                first, second = sorted((one, other))
                same = tuple(_placed(each, first) if each == arguments[second - 1] else each for each in arguments)
                queue += [] if same in queue else [same]
    return found


def _placed(value: Any, number: int) -> Any:
    """Return a value; in place of a record, a reference with this number."""
    return value.at(number) if isinstance(value, Record) else value
