"""The policy on its own: the instructions of a run in the order of execution, without a memory or a model."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from coc_core.domain import (
    Domain,
    StoresRecords,
    number_new,
    record_named,
    split_record,
    with_changed,
    with_result,
    without_record,
)
from coc_core.types import Step
from coc_programs import Program, interpret


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
