"""All prompts there are: the pairs of any run, listed from the policy without a run."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from coc_core.domain import (
    WAITS,
    Domain,
    StoresRecords,
    field_names,
    number_new,
    record_named,
    split_record,
    with_changed,
    without_record,
)
from coc_core.errors import PluginError, ProtocolFault, UsageError
from coc_core.memories import Convention
from coc_core.models import Pair
from coc_core.text import number_names
from coc_problems.policy import policy_steps

MOST_KINDS = 100_000
"""The most instructions with records that `closure` combines."""


def is_closed(convention: Convention[Any, Any]) -> bool:
    """Whether `closure` lists the pairs of a convention."""
    return convention.memoryless or has_few_kinds(convention)


def has_few_kinds(convention: Convention[Any, Any]) -> bool:
    """Whether `closure` combines instructions with records, of which there are finitely many with names by place."""
    domain = convention.domain
    if not (isinstance(domain, StoresRecords) and domain.finitely_many_kinds):
        return False
    return convention.local_names or not domain.interchangeable_names


def closure(
    convention: Convention[Any, Any], problems: Iterable[Any], is_new: Callable[[str], bool] | None = None
) -> Iterator[Pair]:
    """The distinct pairs of all runs of `problems`, listed without a run.

    Under a memoryless convention they are the closure of the problems' first instructions under the policy. Where names
    are numbered by place, they are those of each instruction with each record, the first ones and all that steps write:
    a run of any problem, however large, whose first instruction and records are among them has no others. Some of these
    may be in no run.

    Args:
        convention: A convention that `is_closed`.
        problems: The problems.
        is_new: Is called with each text, to leave out what was listed already; by default nothing was.

    Raises:
        UsageError: If the convention's prompts depend on more.
        PluginError: If there are more than `MOST_KINDS` instructions with records.
    """
    add = is_new or partial(_add, set())
    if has_few_kinds(convention):
        yield from _each_with_each(convention, problems, add)
        return
    if not convention.memoryless:
        raise UsageError(
            f"the prompts of {convention.name!r} in {convention.notation} notation depend on more than the instruction",
            remedy="choose --memory pda, or symbolic arithmetic",
        )
    domain = convention.domain
    for problem in problems:
        for instruction, step in policy_steps(domain, problem, lambda each: add(domain.instructions.format(each))):
            yield Pair(convention.instruction_prompt(instruction), convention.format(convention.compose(step, {})))


def _add(known: set[str], text: str) -> bool:
    """Whether a text is new; adds it."""
    before = len(known)
    known.add(text)
    return len(known) > before


def kind_of(domain: Domain[Any, Any, Any, Any], written: Any) -> tuple[bool, str]:
    """Whether what a policy writes is a record, and its text with the names numbered by place.

    The text of a record is that of its contents; that of an instruction leaves out the record that it names.
    """
    text = domain.instructions.format(written)
    record = split_record(text)
    return record is not None, _numbered(domain, record[1] if record else without_record(text))


def _numbered(domain: Domain[Any, Any, Any, Any], text: str) -> str:
    return number_names(number_new(text, 1), domain.interchangeable_names)[0]


def _each_with_each(
    convention: Convention[Any, Any], problems: Iterable[Any], add: Callable[[str], bool]
) -> Iterator[Pair]:
    """The pairs of each instruction with each record or result, as prompts show them, with the names numbered by place.

    An instruction that can't read a record, or that no step could go on from, is in no run.
    """
    domain = convention.domain
    assert isinstance(domain, StoresRecords)
    kinds = _Kinds(domain)
    for problem in problems:
        kinds.add((*domain.records(problem), domain.start(problem)))
    combined = set[str]()
    while new := [text for text in kinds.windows() if text not in combined]:
        combined.update(new)
        if len(combined) > MOST_KINDS:
            raise PluginError(
                f"the domain {domain.name} says that its records are of finitely many kinds, and its steps lead to more"
                f" than {MOST_KINDS:,} prompts"
            )
        for prompt in (prompt for text in new for prompt in _prompts_like(convention, text)):
            try:
                instruction = convention.parse_prompt(prompt)[0]
                step = domain.expand(instruction)
                target = convention.format(convention.compose(step, {}))
            except (ValueError, PluginError):
                continue
            kinds.add(step.then, domain.instructions.format(instruction))
            if step.result is not None:
                kinds.results[_numbered(domain, domain.results.format(step.result))] = None
            if add(prompt):
                yield Pair(prompt, target)


def _prompts_like(convention: Convention[Any, Any], window: str) -> tuple[str, ...]:
    try:
        return tuple(convention.prompts_like(window))
    except ProtocolFault:  # the instruction can't read this record, or wait for this result
        return ()


class _Kinds:
    """The texts of all that steps write, with the names numbered by place, in the order in which they were found.

    Attributes:
        results: The texts of results.
    """

    def __init__(self, domain: Domain[Any, Any, Any, Any]) -> None:
        self._domain = domain
        self._instructions, self._records, self._changes = dict[str, None](), dict[str, None](), dict[str, None]()
        self.results = dict[str, None]()

    def add(self, written: Iterable[Any], window: str = "") -> None:
        """Add what a step writes that reads a window."""
        shown = window.removeprefix(without_record(window)).removeprefix(": ")
        named = record_named(without_record(window)) if shown else None
        before, mixed = list[frozenset[str]](), False  # the fields of other records that are written before
        for each in written:
            is_record, kind = kind_of(self._domain, each)
            if not is_record:
                self._instructions[kind] = None
                continue
            name, fields = split_record(self._domain.instructions.format(each)) or ("", "")
            if name == named:
                shown = with_changed(shown, fields)
                self._records[_numbered(self._domain, shown)] = None
                # The other name may be that of the same record, which then has some fields of each.
                mixed |= any(some & field_names(fields) and some - field_names(fields) for some in before)
                if mixed:
                    self._changes[kind] = None
            elif window and "+" not in name:
                self._changes[kind] = None  # the rest of the record is not in the window
                before.append(field_names(fields))
            else:
                self._records[kind] = None

    def windows(self) -> Iterator[str]:
        """Each instruction, with each record that it may name, or each result that it may wait for."""
        for change in self._changes:
            for record in list(self._records):
                if field_names(change) <= field_names(record):
                    self._records[_numbered(self._domain, with_changed(record, change))] = None
        for text in self._instructions:
            if record_named(text):
                yield from (f"{text}: {record}" for record in self._records)
            elif text.endswith(WAITS):
                yield from (text[:-1] + result for result in self.results)
            else:
                yield text
