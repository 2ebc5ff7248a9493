"""Distinct prompt-target pairs, and which of them are held out."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

from coc_core.domain import (
    WAITS,
    Domain,
    StoresRecords,
    field_names,
    policy_steps,
    record_named,
    split_record,
    with_changed,
    without_record,
)
from coc_core.errors import PluginError, ProtocolFault, UsageError
from coc_core.memories import Convention
from coc_core.models import Pair
from coc_core.program import Program
from coc_core.text import number_names

ItemT = TypeVar("ItemT")

MOST_KINDS = 100_000
"""The most instructions with records that `closure` combines."""

_DIGEST = 16  # bytes

_NEW = re.compile(r"([A-Za-z]+)\+1")


class Seen:
    """A set of texts that stores only their digests: a million texts of any length take about 100 MB."""

    def __init__(self) -> None:
        self._digests: set[bytes] = set()

    def add(self, text: str) -> bool:
        """Add a text; returns whether it is new."""
        before = len(self._digests)
        self._digests.add(_digest(text))
        return len(self._digests) > before

    def __contains__(self, text: str) -> bool:
        return _digest(text) in self._digests


def is_closed(convention: Convention[Any, Any]) -> bool:
    """Whether `closure` lists the pairs of a convention."""
    return convention.memoryless or has_few_kinds(convention)


def has_few_kinds(convention: Convention[Any, Any]) -> bool:
    """Whether `closure` combines instructions with records, of which there are finitely many with names by place."""
    domain = convention.domain
    if not (isinstance(domain, StoresRecords) and domain.finitely_many_kinds):
        return False
    return convention.local_names or not domain.interchangeable_names


def why_growing(convention: Convention[Any, Any]) -> str:
    """Why the prompts of a program grow with its problems, in words; empty if they don't, or it is not a program."""
    domain = convention.domain
    if not isinstance(domain, Program) or has_few_kinds(convention):
        return ""
    if domain.compiled.growing:
        return f"numbers without a limit: {', '.join(domain.compiled.growing)}"
    return f"{convention.notation} notation shows the numbers of records"


def closure(convention: Convention[Any, Any], problems: Iterable[Any], seen: Seen | None = None) -> Iterator[Pair]:
    """The distinct pairs of all runs of `problems`, listed without a run.

    Under a memoryless convention they are the closure of the problems' first instructions under the policy. Where names
    are numbered by place, they are those of each instruction with each record, the first ones and all that steps write:
    a run of any problem, however large, whose first instruction and records are among them has no others. Some of these
    may be in no run.

    Args:
        convention: A convention that `is_closed`.
        problems: The problems.
        seen: What was listed already; its pairs are left out, and the new ones are added.

    Raises:
        UsageError: If the convention's prompts depend on more.
        PluginError: If there are more than `MOST_KINDS` instructions with records.
    """
    known = Seen() if seen is None else seen
    if has_few_kinds(convention):
        yield from _each_with_each(convention, problems, known)
        return
    if not convention.memoryless:
        raise UsageError(
            f"the prompts of {convention.name!r} in {convention.notation} notation depend on more than the instruction",
            remedy="choose --memory pda, or symbolic arithmetic",
        )
    domain = convention.domain

    def is_new(instruction: Any) -> bool:
        return known.add(domain.instructions.format(instruction))

    for problem in problems:
        for instruction, step in policy_steps(domain, problem, is_new):
            yield Pair(convention.instruction_prompt(instruction), convention.format(convention.compose(step, {})))


def kind_of(domain: Domain[Any, Any, Any, Any], written: Any) -> tuple[bool, str]:
    """Whether what a policy writes is a record, and its text with the names numbered by place.

    The text of a record is that of its contents; that of an instruction leaves out the record that it names.
    """
    text = domain.instructions.format(written)
    record = split_record(text)
    return record is not None, _numbered(domain, record[1] if record else without_record(text))


def _numbered(domain: Domain[Any, Any, Any, Any], text: str) -> str:
    return number_names(_NEW.sub(r"\g<1>1", text), domain.interchangeable_names)[0]


def _each_with_each(convention: Convention[Any, Any], problems: Iterable[Any], known: Seen) -> Iterator[Pair]:
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
            except (ValueError, PluginError):
                continue
            kinds.add(step.then, domain.instructions.format(instruction))
            if step.result is not None:
                kinds.results[_numbered(domain, domain.results.format(step.result))] = None
            if known.add(prompt):
                yield Pair(prompt, convention.format(convention.compose(step, {})))


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
        for each in written:
            is_record, kind = kind_of(self._domain, each)
            if not is_record:
                self._instructions[kind] = None
                continue
            name, fields = split_record(self._domain.instructions.format(each)) or ("", "")
            if name == named:
                shown = with_changed(shown, fields)
                self._records[_numbered(self._domain, shown)] = None
            elif window and "+" not in name:
                self._changes[kind] = None  # the rest of the record is not in the window
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


def check_fraction(fraction: float) -> None:
    """UsageError unless the fraction is from 0 to below 1."""
    if not 0 <= fraction < 1:
        raise UsageError(
            f"a hold-out of {fraction} leaves nothing to train on", remedy="give a fraction from 0 to below 1"
        )


def held_out_indices(count: int, fraction: float, seed: int) -> set[int]:
    """The indices of the held-out items: a fraction of `count`, rounded down, drawn uniformly by the seed."""
    check_fraction(fraction)
    return set(random.Random(f"hold-out {seed}").sample(range(count), int(fraction * count)))


def is_held_out(step: str, fraction: float, seed: int) -> bool:
    """Whether a step is held out. It depends on nothing else, so it is the same in every dialect and every dataset."""
    digest = blake2b(f"hold-out {seed} {step}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") < fraction * 2**64


def hold_out(items: Sequence[ItemT], fraction: float, seed: int) -> tuple[list[ItemT], list[ItemT]]:
    """Split items into (training, held out) by `held_out_indices`; both parts keep their order."""
    held = held_out_indices(len(items), fraction, seed)
    train = [item for index, item in enumerate(items) if index not in held]
    return train, [items[index] for index in sorted(held)]


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=_DIGEST).digest()
