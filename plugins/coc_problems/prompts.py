"""The policy on its own, and all prompts there are: the pairs of any run, listed without a memory or a model."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from attrs import field, frozen

from coc_core.domain import (
    WAITS,
    Domain,
    StoresRecords,
    number_new,
    record_named,
    split_record,
    with_changed,
    with_result,
    without_record,
)
from coc_core.errors import PluginError, ProtocolFault, UsageError
from coc_core.memories import Convention
from coc_core.models import Pair
from coc_core.text import counted, message_of, number_names
from coc_core.types import Step
from coc_programs import MOST_KINDS, Program, interpret
from coc_programs.heap.kinds import first_kinds, stated_kinds


def policy_steps(
    domain: Domain[Any, Any, Any, Any], problem: Any, enter: Callable[[Any], bool] | None = None
) -> Iterator[tuple[Any, Step[Any, Any]]]:
    """Yield each instruction of the run of `problem`, depth first, with what the policy does for it.

    `enter` says whether to follow an instruction; by default all are, as in a run. Where the policy stores records or
    returns results, what follows depends on them, so there all are followed.
    """
    if isinstance(domain, StoresRecords) or any(domain.results):
        yield from _stored_policy_steps(domain, problem)
        return
    pending = [domain.start(problem)]
    while pending:
        instruction = pending.pop()
        if enter is None or enter(instruction):
            step = domain.expand(instruction)
            yield instruction, step
            pending += reversed(step.then)


def policy_actions(domain: Domain[Any, Any, Any, Any], problem: Any) -> Iterator[Any]:
    """Return the actions of a run by the policy; those of a program as it stands, which is faster than step by step."""
    if isinstance(domain, Program):
        emitted: Iterator[Any] = interpret(*domain.begin(problem))
    else:
        emitted = (each for _, step in policy_steps(domain, problem) for each in step.emits)
    return (each for each in emitted if each in domain.actions)


def _stored_policy_steps(domain: Domain[Any, Any, Any, Any], problem: Any) -> Iterator[tuple[Any, Step[Any, Any]]]:
    """Yield the instructions and steps of a run whose policy stores records or returns results."""
    language = domain.instructions
    stored = domain.records(problem) if isinstance(domain, StoresRecords) else ()
    records = dict(filter(None, map(split_record, map(language.format, stored))))
    pending = [without_record(language.format(domain.start(problem)))]
    while pending:
        instruction = language.parse(with_record(pending.pop(), records))
        step = domain.expand(instruction)
        yield instruction, step
        number = len(records) + 1
        texts = [number_new(language.format(each), number) for each in step.then]
        for name, fields in filter(None, map(split_record, texts)):
            records[name] = with_changed(records[name], fields) if name in records else fields
        pending += [without_record(text) for text in reversed(texts) if not split_record(text)]
        if step.result is not None and pending:
            result = number_new(domain.results.format(step.result), number)
            pending.append(with_result(pending.pop(), result) or "")


def with_record(text: str, records: Mapping[str, str]) -> str:
    """Return the text of an instruction with the contents of the record that it names."""
    name = record_named(text)
    return text if name is None else f"{text}: {records[name]}"


def is_closed(convention: Convention[Any, Any]) -> bool:
    """Return whether `closure` lists the pairs of a convention."""
    return convention.memoryless or has_few_kinds(convention)


def has_few_kinds(convention: Convention[Any, Any]) -> bool:
    """Return whether the prompts of all problems are a finite list, `every_prompt`."""
    domain = convention.domain
    if not (isinstance(domain, StoresRecords) and domain.finitely_many_kinds):
        return False
    # Only a memory with records refuses runs that begin with kinds that are not stated.
    refuses = "records" in convention.offers or stated_kinds(domain) is None
    return refuses and (convention.local_names or not domain.interchangeable_names)


@frozen
class PromptList:
    """All prompts of problems of every size.

    Attributes:
        pairs: Those with a target.
        wrong: Those at which the program itself goes wrong, each with what it says, which names the line.
        first: The kinds of records and instructions that runs begin with (`first_kinds`).
        stated: Whether the domain states these.
    """

    pairs: Sequence[Pair] = field(repr=False)
    wrong: Mapping[str, str] = field(repr=False)
    first: Sequence[str] = field(repr=False)
    stated: bool

    @property
    def scope(self) -> str:
        """How many there are, and from which kinds they follow, in words."""
        prompts, kinds = counted(len(self.pairs), "prompt"), counted(len(self.first), "kind")
        from_which = f"from {'the' if self.stated else 'all'} {kinds} of first records and instructions"
        who = "the program states" if self.stated else "its types allow"
        return f"{prompts} {from_which} that {who}; at {len(self.wrong):,} more the program itself goes wrong"


def every_prompt(convention: Convention[Any, Any]) -> PromptList:
    """List the prompts of all problems, under a convention that `has_few_kinds`.

    They are those of each instruction with each record or result, those that runs begin with and all that steps write:
    a run that begins with these has no others. Some may be in no run.

    Raises:
        PluginError: The kinds that runs begin with are not known, or there are more than `MOST_KINDS` prompts.
    """
    wrong, domain = dict[str, str](), convention.domain
    pairs, first = tuple(_each_with_each(convention, wrong)), tuple(first_kinds(domain))
    return PromptList(pairs, wrong, first, stated_kinds(domain) is not None)


def closure(
    convention: Convention[Any, Any], problems: Iterable[Any], is_new: Callable[[str], bool] | None = None
) -> Iterator[Pair]:
    """Return the distinct pairs of all runs of `problems`, listed without a run, under a convention that `is_closed`.

    Under a memoryless convention they are the closure of the problems' first instructions under the policy. Where all
    problems have few kinds of prompts, they are those of `every_prompt`, whichever the problems are; one that begins
    with a kind that is not stated is refused. `is_new` is called with each text, to leave out what was listed before.

    Raises:
        UsageError: If the convention's prompts depend on more.
        PluginError: As for `every_prompt`.
    """
    add = is_new or partial(_add, set())
    if has_few_kinds(convention):
        for problem in () if stated_kinds(convention.domain) is None else problems:
            convention.first_window(problem)  # it refuses what begins otherwise
        yield from (pair for pair in _each_with_each(convention, {}) if add(pair.prompt))
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
    """Return whether a text is new; adds it."""
    before = len(known)
    known.add(text)
    return len(known) > before


def _each_with_each(convention: Convention[Any, Any], wrong: dict[str, str]) -> Iterator[Pair]:
    """Yield each instruction with each record or result, as prompts show them, names numbered by place.

    An instruction that can't read a record is in no run. One that no step goes on from is added to `wrong`.
    """
    domain = convention.domain
    kinds, combined = _Kinds(domain), set[str]()
    while new := list(islice((text for text in kinds.windows() if text not in combined), MOST_KINDS + 1)):
        combined.update(new)
        if len(combined) > MOST_KINDS:
            raise PluginError(
                f"the domain {domain.name} says that its records are of finitely many kinds, and its steps lead to more"
                f" than {MOST_KINDS:,} prompts",
                remedy="state fewer that runs begin with in `kinds()`, or store less in a record",
            )
        for prompt in (prompt for text in new for prompt in _prompts_like(convention, text)):
            try:
                instruction = convention.parse_prompt(prompt)[0]
            except ValueError:
                continue
            try:
                step = domain.expand(instruction)
                target = convention.format(convention.compose(step, {}))
            except (ValueError, PluginError) as error:
                wrong[prompt] = error.message if isinstance(error, PluginError) else message_of(error)
                continue
            kinds.add_step(domain.instructions.format(instruction), map(domain.instructions.format, step.then))
            if step.result is not None:
                kinds.results[kinds.numbered(domain.results.format(step.result))] = None
            yield Pair(prompt, target)


def _prompts_like(convention: Convention[Any, Any], window: str) -> tuple[str, ...]:
    try:
        return tuple(convention.prompts_like(window))
    except ProtocolFault:  # the instruction can't read this record, or wait for this result
        return ()


class _Kinds:
    """The texts of all that runs begin with and that steps write, with the names numbered by place, in order.

    Attributes:
        results: The texts of results.
    """

    def __init__(self, domain: Domain[Any, Any, Any, Any]) -> None:
        self._letters = domain.interchangeable_names
        self._instructions, self.results = dict[str, None](), dict[str, None]()
        # of each class of records, by the letters of its names
        self._records, self._changes = defaultdict[str, dict[str, None]](dict), defaultdict[str, dict[str, None]](dict)
        for text in first_kinds(domain):
            self._add(text)

    def numbered(self, text: str) -> str:
        """Return a text with its names numbered by place."""
        return number_names(number_new(text, 1), self._letters)[0]

    def _add(self, text: str) -> None:
        """Add a whole record, or an instruction."""
        if record := split_record(text):
            self._records[_class_of(record[0])][self.numbered(record[1])] = None
        else:
            self._instructions[self.numbered(without_record(text))] = None

    def add_step(self, window: str, written: Iterable[str]) -> None:
        """Add what a step writes that reads a window."""
        shown = window.removeprefix(without_record(window)).removeprefix(": ")
        named = record_named(without_record(window)) if shown else None
        before, mixed = list[set[str]](), False  # the fields of other records of its class that are written before
        for text in written:
            name, fields = split_record(text) or ("+", "")
            if "+" in name:  # it is new, or an instruction
                self._add(text)
                continue
            names = {each.partition("=")[0] for each in fields.split(" ")}
            if name == named:
                shown = with_changed(shown, fields)
                self._add(f"{name}: {shown}")
                # The other name may be that of the same record, which then has some fields of each.
                mixed |= any(some & names and some - names for some in before)
            elif _class_of(name) == _class_of(named or ""):
                before.append(names)
            if name != named or mixed:
                self._changes[_class_of(name)][self.numbered(fields)] = None  # the window has not the whole record

    def windows(self) -> Iterator[str]:
        """Yield each instruction, with each record that it may name, or each result that it may wait for."""
        for letters, changes in self._changes.items():
            for change in changes:
                for record in list(self._records[letters]):
                    self._records[letters][self.numbered(with_changed(record, change))] = None
        for text in self._instructions:
            if name := record_named(text):
                yield from (f"{text}: {record}" for record in self._records[_class_of(name)])
            elif text.endswith(WAITS):
                yield from (text[:-1] + result for result in self.results)
            else:
                yield text


def _class_of(name: str) -> str:
    """Return the letters of a name."""
    return name.rstrip("+0123456789")
