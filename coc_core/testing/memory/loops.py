"""Checks of what a memory remembers of its past: going back to a mark, and finding that a run never ends."""

from collections.abc import Callable, Iterator

from coc_core.errors import LimitFault, StepFault
from coc_core.testing.check import require
from coc_core.testing.memory.kept import Kept
from coc_core.testing.memory.turning import Ring, around, twice
from coc_core.testing.memory.walk import View, Walk
from coc_core.types import Limits

AHEAD = (1, 2, 5, 99)  # steps that are taken before going back
LATE = (0, 2, 7)  # steps of the policy before a run turns round and round
PATIENCE = 4  # times the steps that a cycle needs, until it must be found
MOST = 100  # steps of a run that is tried
CAPS = Limits(tape_bytes=3_000, stack_depth=40)

Answer = Callable[[Walk], str]


def rollback_restores_the_contents(subject: Kept) -> None:
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
        walk.take(twice(walk))


def rollback_restores_the_verdict(subject: Kept) -> None:
    """A run that looked ahead and went back is found to be endless at the same step as one that did not.

    What `repeats` remembers belongs to the mark.
    """
    for stage in subject.stages:
        start = Walk(stage, stage.tasks[-1], CAPS)
        for answer in _endless(start, 0):
            plain, scouting = (_verdicts(Walk(stage, start.task, CAPS), answer, ahead) for ahead in (0, 3))
            what = f"an endless run is asked about {len(plain)} times, one that looks ahead {len(scouting)} times"
            require(plain == scouting, f"{what}, or with another end", str(start))


def _endless(walk: Walk, taken: int) -> Iterator[Answer]:
    """Answers that never come to an end, from where the memory is after `taken` steps of the policy."""
    for text in around(walk, taken):
        yield lambda _, text=text: text  # type: ignore[misc]
    yield Ring(Walk(walk.stage, walk.task)).answer
    yield twice


def _verdicts(walk: Walk, answer: Answer, ahead: int) -> list[bool]:
    """What `repeats` says before each step until it says yes, a limit is reached, or it is enough."""
    said: list[bool] = []
    while len(said) < MOST:
        _scout(walk, answer, ahead)
        said.append(walk.memory.repeats())
        _scout(walk, answer, ahead)
        try:
            if said[-1]:
                break
            walk.take(answer(walk))
        except LimitFault:
            break
    return said


def _scout(walk: Walk, answer: Answer, ahead: int) -> None:
    """Look so many steps ahead and go back, twice."""
    mark = walk.memory.mark()
    for _ in range(2 if ahead else 0):
        try:
            for _ in range(ahead):
                walk.take(answer(walk))
                walk.memory.repeats()
        except StepFault:
            pass
        walk.memory.rollback(mark)


def no_halting_run_repeats(subject: Kept) -> None:
    """A run that halts is never said to be endless.

    The same window may come again, with other contents below or after it.
    """
    for walk in subject.walks():
        for step in range(walk.task.steps + 1):
            told = f"after {step} steps the run is said never to halt, and it halts after {walk.task.steps}"
            require(not walk.memory.repeats(), told, str(walk))
            walk.go(1)


def endless_runs_are_found(subject: Kept) -> None:
    """A model that repeats itself is found out, within a few times the steps that it needs to.

    `repeats` is asked once before each step. Where the memory only grows it need not know.
    """
    for stage in subject.stages:
        task = stage.tasks[-1]
        for late in filter(task.steps.__gt__, LATE):
            for answer in _endless(Walk(stage, task).go(late), late):
                _found(Walk(stage, task, CAPS), answer, late)


def _found(walk: Walk, answer: Answer, late: int) -> None:
    """Nonconforming unless the memory says in time that this answer, given after `late` steps, leads nowhere."""
    seen, due = set[View](), MOST
    for step in range(MOST):
        if walk.memory.repeats():
            break
        if due == MOST and walk.view() in seen:
            due = PATIENCE * (step + 1)
        seen.add(walk.view())
        text = walk.answer() if step < late else answer(walk)
        told = f"told {text!r} it is where it was before, and has not found out after {step} steps"
        require(step <= due, told, str(walk))
        try:
            walk.take(text)
        except LimitFault:
            break
