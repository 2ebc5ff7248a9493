"""Checks of a memory in runs that never end, or are deep, wide or long."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from coc_check.check import needs, require
from coc_check.memory.drill import Drill, Grow
from coc_check.memory.subject import MemorySubject, View, Walk
from coc_core.errors import LimitFault, StepFault
from coc_core.memories import Pushdown, Target
from coc_core.text import counted
from coc_core.types import Limits, Step
from coc_problems import policy_steps

LATE = (0, 2, 7)  # steps of the policy before a run repeats itself
MOST = 40  # steps after that
CAPS = Limits(tape_bytes=3_000, stack_depth=40)
DEPTH = 1_000
_LARGE = (Grow("wide", 200), Grow("long", 2_000), Grow("deep", DEPTH), Grow("twins", 11))
RUNS = (Grow("wide", 4), Grow("comb", 30), *_LARGE)
TREES = (Grow("deep", 10), Grow("comb", 4), Grow("wide", 7), Grow("twins", 4))
SHORT_RUNS = (Grow("comb", 12), Grow("wide", 60), Grow("long", 2_000), Grow("deep", 200), Grow("twins", 7))
"""The same where prompts grow."""
SOME = 97  # steps from one look at all windows to the next
WIDE = 6  # windows of a step at a limit


@needs("problems_are_solved")
def endless_runs_are_found(subject: MemorySubject) -> None:
    """A model that repeats itself is found out, or stopped by a limit.

    Where contents come again, so does their `key`. Where the memory only grows, its level falls.
    """
    for walk in subject.walks(CAPS, longest=True):
        for late in filter(walk.task.steps.__gt__, LATE):
            with suppress(LimitFault):  # it holds too much from the start
                here = walk.fork().go(late)
                for respond in _endless(here):
                    _is_found(here.fork(), respond)


def _endless(walk: Walk) -> list[Callable[[Walk], str]]:
    """Return ways to respond that mostly lead back to where the memory is.

    A target does if it writes nothing and each register stays, or if the same instruction is written once more, or
    twice. Where a target has the whole plan, these ways end as well.
    """
    convention, surface = walk.convention, walk.convention.surface.registers
    instruction, shown = convention.parse_prompt(walk.prompt)
    back = [convention.compose(Step[Any, Any](then=(instruction,)), shown)]
    if surface is not None:
        back.append(Target((), (), {name: str(shown.get(name, name)) for name in surface.fields}))
    return [lambda walk: walk.twice, *(partial(_same, text=convention.format(target)) for target in back)]


def _same(walk: Walk, text: str) -> str:
    return text


def _is_found(walk: Walk, respond: Callable[[Walk], str]) -> None:
    """Nonconforming unless it is found in time that a run which was here before leads nowhere."""
    seen, again = set[View](), False
    with suppress(StepFault):
        for _ in range(MOST):
            if walk.halted or walk.repeats():
                return
            again |= walk.view in seen
            seen.add(walk.view)
            text = respond(walk)
            walk.take(text)
        require(not again, f"given {text!r} it is where it was before, and has not found out after {MOST} steps")


@needs("problems_are_solved", "pointer_is_the_next")
def long_runs_are_right(subject: MemorySubject) -> None:
    """In a run that is deep, wide or long, each window comes in its turn, and none is taken for a loop.

    Look for a bound that nobody asked for: a list that is cut, a depth that is not counted, a window that is confused
    with one like it.
    """
    for stage in subject.drills:
        runs = SHORT_RUNS if stage.setting.convention.growing_prompts else RUNS
        for run in runs:
            _run(subject, subject.drill(stage, run), stage.setting.convention.count_steps(Drill().expect(run).steps))
        sizes = {run.shape: run.n for run in runs}
        steps = stage.setting.convention.count_steps(Drill().expect(runs[-1]).steps)
        tried = f"{sizes['deep']:,} windows deep, {sizes['wide']:,} windows a step, {counted(steps, 'step')}"
        subject.tried["long runs"] = f"{tried}, a window of {sizes['long']:,} characters"


def _run(subject: MemorySubject, walk: Walk, steps: int) -> None:
    instructions = policy_steps(walk.stage.setting.domain, walk.task.problem)
    for number, (instruction, _) in enumerate(islice(instructions, steps), 1):
        subject.at = f"step {number} of {steps}, {walk}"
        require(not walk.halted, "the run has halted")
        require(not walk.repeats(), "the run is said never to halt")
        found, _ = walk.convention.parse_prompt(walk.prompt)
        require(found == instruction, f"the next window is {found}, it should be {instruction}")
        if number % SOME == 0:
            windows, pointer, _ = walk.view
            require(0 <= pointer < len(windows), f"the index is {pointer} among {len(windows)} windows")
        try:
            walk.take(walk.target)
        except StepFault as fault:
            require(False, f"the policy's target is refused: {fault.message}")
    require(walk.halted, f"the run has not halted after its last step, {steps}")


@needs("long_runs_are_right")
def writing_nothing_pops(subject: MemorySubject) -> None:
    """On a `Pushdown` memory, to write nothing leaves what all steps that the next window leads to would leave.

    Then an executor can skip them.
    """
    for stage in subject.drills:
        for run in TREES if stage.setting.convention.max_writes != 0 else ():
            walk = subject.drill(stage, run)
            while isinstance(walk.memory, Pushdown) and not walk.halted:
                seen, stepped, below = walk.fork(), walk.fork(), len(walk.view.windows) - 1
                seen.contents = walk.memory.write(walk.contents, ())
                while len(stepped.view.windows) > below:
                    stepped.go(1)
                found, wanted = seen.view, stepped.view
                require(found == wanted, f"to write nothing leaves {found}, the steps {wanted}")
                walk.go(1)


@needs("long_runs_are_right")
def caps_are_exact(subject: MemorySubject) -> None:
    """A step that writes just as many windows as the limit is taken, one more is refused; large caps hold, too.

    A cap bounds what is held after the step, in bytes or in windows. A run that only grows would take all the machine's
    memory.
    """
    for stage in (stage for stage in subject.drills if stage.setting.convention.max_writes != 0):
        for most in (WIDE, WIDE - 1):
            try:
                subject.drill(stage, Grow("wide", WIDE), Limits(windows_per_step=most)).go(1)
                said = "taken"
            except LimitFault:
                said = "refused"
            complaint = f"a step of {WIDE} windows is {said}, and the limit is {most}"
            require((said == "taken") == (most == WIDE), complaint)
        limits = Limits(tape_bytes=6_000, stack_depth=150)
        walk = subject.drill(stage, Grow("deep", DEPTH), limits)
        for _ in range(2 * limits.stack_depth):
            try:
                walk.take(walk.twice)
            except LimitFault:
                break
        held = walk.memory.windows(walk.contents)
        size = sum(len(window.encode()) for window in held)
        within = size <= limits.tape_bytes or len(held) <= limits.stack_depth
        require(within, f"it holds {len(held)} windows of {size} bytes, the limits are {limits}")
