"""Checks of what a memory remembers of its past: going back to a mark, and finding that a run never ends."""

from collections.abc import Callable, Iterator

from coc_check.check import needs, require
from coc_check.memory.endless import Ring, around, twice
from coc_check.memory.subject import MemorySubject
from coc_check.memory.walk import View, Walk
from coc_core.errors import LimitFault, StepFault
from coc_core.types import Limits

AHEAD = (1, 2, 5, 99)  # steps that are taken before going back
LATE = (0, 2, 7)  # steps of the policy before a run repeats itself
PATIENCE = 4  # times the steps that a cycle needs, until it must be found
MOST = 100  # steps of a run that is tried
CAPS = Limits(tape_bytes=3_000, stack_depth=40)

Respond = Callable[[Walk], str]
"""What a model writes next."""


@needs("runs_are_deterministic")
def rollback_restores_the_contents(subject: MemorySubject) -> None:
    """Going back to a mark restores every window, the pointer and what comes next, each time that it is done.

    A mark has to know all that a step may change, and going back must not use the mark up.
    """
    for walk in subject.long_walks():
        straight = Walk(walk.stage, walk.task)
        while not walk.memory.halted:
            mark = walk.memory.mark()
            for ahead in AHEAD:
                walk.go(ahead)
                _and_back(walk)
                walk.memory.rollback(mark)
                _same(walk, straight, f"going back {ahead} steps")
            walk.memory.rollback(mark)
            _same(walk, straight, "going back twice to one mark")
            _grow(walk, 3)
            walk.memory.rollback(mark)
            _same(walk, straight, "going back after steps that only write")
            walk.go(1)
            straight.go(1)
        _same(walk, straight, "running to the end")


def _and_back(walk: Walk) -> None:
    """Take steps from a later mark and go back to that, which leaves the earlier marks alone."""
    mark, before = walk.memory.mark(), walk.view()
    walk.go(2)
    walk.memory.rollback(mark)
    after = walk.view()
    require(after == before, f"going back to the later of two marks gives {after}, there was {before}", str(walk))


def _same(walk: Walk, straight: Walk, what: str) -> None:
    found, wanted = walk.view(), straight.view()
    require(found == wanted, f"{what} gives {found}, a run that never went back has {wanted}", str(walk))


def _grow(walk: Walk, steps: int) -> None:
    for _ in range(steps):
        if not walk.memory.halted:
            walk.take(twice(walk))


@needs("rollback_restores_the_contents")
def rollback_restores_the_verdict(subject: MemorySubject) -> None:
    """A run that looked ahead and went back is found to be endless at the same step as one that did not.

    What `repeats` remembers belongs to the mark.
    """
    for stage in subject.stages:
        start = Walk(stage, stage.tasks[-1], CAPS)
        for respond in _endless(start, 0):
            plain, trying = (_verdicts(Walk(stage, start.task, CAPS), respond, ahead) for ahead in (0, 3))
            what = f"an endless run goes on for {len(plain)} steps, one that looks ahead for {len(trying)}"
            require(plain == trying, f"{what}, or with another end", str(start))


def _endless(walk: Walk, taken: int) -> Iterator[Respond]:
    """Ways to respond that never come to an end, from where the memory is after `taken` steps of the policy.

    Where a target has the whole plan, these end as well.
    """
    for text in around(walk, taken):
        yield lambda _, text=text: text  # type: ignore[misc]
    yield Ring(Walk(walk.stage, walk.task)).respond
    yield twice


def _verdicts(walk: Walk, respond: Respond, ahead: int) -> list[bool]:
    """What `repeats` says before each step until it says yes, a limit is reached, or it is enough."""
    said: list[bool] = []
    while len(said) < MOST and not walk.memory.halted:
        _look_ahead(walk, respond, ahead)
        said.append(walk.memory.repeats())
        _look_ahead(walk, respond, ahead)
        try:
            if said[-1]:
                break
            walk.take(respond(walk))
        except LimitFault:
            break
    return said


def _look_ahead(walk: Walk, respond: Respond, ahead: int) -> None:
    """Look so many steps ahead and go back, twice."""
    mark = walk.memory.mark()
    for _ in range(2 if ahead else 0):
        try:
            for _ in range(ahead):
                if walk.memory.halted:
                    break
                walk.take(respond(walk))
                walk.memory.repeats()
        except StepFault:
            pass
        walk.memory.rollback(mark)


@needs("fetch_changes_nothing")
def no_halting_run_repeats(subject: MemorySubject) -> None:
    """A run that halts is never said to be endless.

    The same window may come again, with other contents below or after it.
    """
    for walk in subject.walks():
        for step in range(walk.task.steps + 1):
            complaint = f"after {step} steps the run is said never to halt, and it halts after {walk.task.steps}"
            require(not walk.memory.repeats(), complaint, str(walk))
            walk.go(1)


@needs("problems_are_solved")
def endless_runs_are_found(subject: MemorySubject) -> None:
    """A model that repeats itself is found out, within a few times the steps that it needs to.

    `repeats` is called once before each step. Where the memory only grows it need not know.
    """
    for stage in subject.stages:
        task = stage.tasks[-1]
        for late in filter(task.steps.__gt__, LATE):
            for respond in _endless(Walk(stage, task).go(late), late):
                _found(Walk(stage, task, CAPS), respond, late)


def _found(walk: Walk, respond: Respond, late: int) -> None:
    """Nonconforming unless the memory says in time that responding like this after `late` steps leads nowhere."""
    seen, due = set[View](), MOST
    for step in range(MOST):
        if walk.memory.halted or walk.memory.repeats():
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
