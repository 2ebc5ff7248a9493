"""Checks of what is found of a memory's `key`: that a run never ends."""

from collections.abc import Callable, Iterator

from coc_check.check import needs, require
from coc_check.memory.endless import Ring, around, twice
from coc_check.memory.subject import MemorySubject
from coc_check.memory.walk import View, Walk
from coc_core.errors import LimitFault
from coc_core.types import Limits

LATE = (0, 2, 7)  # steps of the policy before a run repeats itself
PATIENCE = 4  # times the steps that a cycle needs, until it must be found
MOST = 100  # steps of a run that is tried
CAPS = Limits(tape_bytes=3_000, stack_depth=40)

Respond = Callable[[Walk], str]
"""What a model writes next."""


@needs("reading_changes_nothing")
def no_halting_run_repeats(subject: MemorySubject) -> None:
    """A run that halts is never said to be endless.

    The same window may come again, with other contents below or after it: `key` names all that decides what follows.
    """
    for walk in subject.walks():
        for step in range(walk.task.steps):
            complaint = f"after {step} steps the run is said never to halt, and it halts after {walk.task.steps}"
            require(not walk.repeats(), complaint, str(walk))
            walk.go(1)


@needs("problems_are_solved")
def endless_runs_are_found(subject: MemorySubject) -> None:
    """A model that repeats itself is found out, within a few times the steps that it needs to.

    Where contents come again, so does their `key`. Where the memory only grows, its level falls.
    """
    for stage in subject.stages:
        task = stage.tasks[-1]
        for late in filter(task.steps.__gt__, LATE):
            for respond in _endless(Walk(stage, task).go(late), late):
                _found(Walk(stage, task, CAPS), respond, late)


def _endless(walk: Walk, taken: int) -> Iterator[Respond]:
    """Ways to respond that never come to an end, from where the memory is after `taken` steps of the policy.

    Where a target has the whole plan, these end as well.
    """
    for text in around(walk, taken):
        yield lambda _, text=text: text  # type: ignore[misc]
    yield Ring(Walk(walk.stage, walk.task)).respond
    yield twice


def _found(walk: Walk, respond: Respond, late: int) -> None:
    """Nonconforming unless it is found in time that responding like this after `late` steps leads nowhere."""
    seen, due = set[View](), MOST
    for step in range(MOST):
        if walk.halted or walk.repeats():
            break
        if due == MOST and walk.view() in seen:
            due = PATIENCE * (step + 1)
        seen.add(walk.view())
        text = walk.target() if step < late else respond(walk)
        complaint = f"given {text!r} it is where it was before, and has not found out after {step} steps"
        require(step <= due, complaint, str(walk))
        try:
            walk.take(text)
        except LimitFault:
            break
