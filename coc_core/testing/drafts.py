"""Answers to prompts that come with drafts, for a model that stops early (`Model.verify`)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from coc_core.errors import NumericFault


def until_wrong(answers: Iterable[str], drafts: Sequence[str], *, may_stop: bool = False) -> list[str]:
    """The answers up to the first that is not its draft; no other is asked for.

    ValueError if they end before the drafts do, unless they may.
    """
    found: list[str] = []
    for draft, answer in zip(drafts, answers, strict=not may_stop):
        found.append(answer)
        if answer != draft:
            break
    return found


def before_a_fault(answers: Iterable[str]) -> Iterator[str]:
    """The answers until one is a NumericFault, which is raised if it is the first."""
    left = iter(answers)
    yield from islice(left, 1)
    try:
        yield from left
    except NumericFault:
        return
