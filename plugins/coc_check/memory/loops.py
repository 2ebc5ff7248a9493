"""Checks of a memory in runs that never end, or are deep, wide or long."""

from collections.abc import Callable, Iterator
from itertools import islice

from coc_check.check import needs, require, trying
from coc_check.memory.drill import Drill, Grow
from coc_check.memory.subject import MemorySubject, View, Walk, around, twice
from coc_check.stage import Stage
from coc_core.errors import LimitFault, StepFault
from coc_core.memories import Pushdown
from coc_core.text import counted
from coc_core.types import Limits
from coc_problems import policy_steps

LATE = (0, 2, 7)  # steps of the policy before a run repeats itself
PATIENCE = 4  # times the steps that a cycle needs, until it must be found
MOST = 100  # steps of a run that is tried
CAPS = Limits(tape_bytes=3_000, stack_depth=40)
NEEDS = ("problems_are_solved", "pointer_is_the_next")
DEPTH, TWINS = 1_000, 11
RUNS = (Grow("wide", 4), Grow("comb", 30), Grow("wide", 200), Grow("long", 2_000), Grow("deep", DEPTH))
TREES = (Grow("deep", 10), Grow("comb", 4), Grow("wide", 7), Grow("twins", 4))
SHORT_RUNS = (Grow("comb", 12), Grow("wide", 60), Grow("long", 2_000), Grow("deep", 200))  # of prompts that grow
SOME = 97  # steps from one look at all windows to the next
WIDE = 6  # windows of a step at a limit

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


def long_runs_are_right(subject: MemorySubject) -> None:
    """In a run that is deep, wide or long, each window comes in its turn, and none is taken for a loop.

    Look for a bound that nobody asked for: a list that is cut, a depth that is not counted, a window that is confused
    with one like it.
    """
    for stage in subject.drills:
        runs = _runs(stage)
        twins = Grow("twins", 7 if runs is SHORT_RUNS else TWINS)
        for run in (*runs, twins):
            with trying(f"{stage}: {run}"):
                _run(stage, run)
        sizes = {run.shape: run.n for run in runs}
        steps = stage.setting.convention.count_steps(Drill().expect(twins).steps)
        tried = f"{sizes['deep']:,} windows deep, {sizes['wide']:,} windows a step, {counted(steps, 'step')}"
        subject.tried["long runs"] = f"{tried}, a window of {sizes['long']:,} characters"


def _runs(stage: Stage) -> tuple[Grow, ...]:
    return SHORT_RUNS if stage.setting.convention.growing_prompts else RUNS


def _run(stage: Stage, problem: Grow) -> None:
    walk = Walk.of(stage, problem)
    domain, convention = stage.setting.domain, walk.convention
    steps = convention.count_steps(Drill().expect(problem).steps)
    for number, (instruction, _) in enumerate(islice(policy_steps(domain, problem), steps), 1):
        where = f"step {number} of {steps}, {walk}"
        prompt = walk.prompt
        require(prompt is not None, "the run has halted", where)
        require(not walk.repeats(), "the run is said never to halt", where)
        found, _ = convention.parse_prompt(str(prompt))
        require(found == instruction, f"the next window is {found}, it should be {instruction}", where)
        if number % SOME == 0:
            seen = walk.view()
            fits = 0 <= seen.pointer < len(seen.windows)
            require(fits, f"the index is {seen.pointer} among {len(seen.windows)} windows", where)
        try:
            walk.take(walk.target())
        except StepFault as fault:
            require(False, f"the policy's target is refused: {fault.message}", where)
    require(walk.halted, f"the run has not halted after its last step, {steps}", str(walk))


@needs("long_runs_are_right")
def writing_nothing_pops(subject: MemorySubject) -> None:
    """On a `Pushdown` memory, to write nothing leaves what all steps that the next window leads to would leave.

    Then an executor can skip them.
    """
    for stage in subject.drills:
        if not isinstance(Walk.of(stage, TREES[0]).memory, Pushdown) or stage.setting.convention.max_writes == 0:
            continue
        for run in TREES:
            walk = Walk.of(stage, run)
            while not walk.halted:
                seen, below = walk.fork(), len(walk.view().windows) - 1
                seen.contents = walk.memory.write(walk.contents, ())
                stepped = walk.fork()
                while len(stepped.view().windows) > below:
                    stepped.go(1)
                found, wanted = seen.view(), stepped.view()
                require(found == wanted, f"to write nothing leaves {found}, the steps {wanted}", str(walk))
                walk.go(1)


@needs("long_runs_are_right")
def caps_are_exact(subject: MemorySubject) -> None:
    """A step that writes just as many windows as the limit is taken, one more is refused; large caps hold, too.

    A cap bounds what is held after the step, in bytes or in windows. A run that only grows would take all the machine's
    memory.
    """
    for stage in subject.drills:
        if stage.setting.convention.max_writes == 0:
            continue
        for most in (WIDE, WIDE - 1):
            walk = Walk.of(stage, Grow("wide", WIDE), Limits(windows_per_step=most))
            try:
                walk.go(1)
                fits = True
            except LimitFault:
                fits = False
            said = "taken" if fits else "refused"
            require(fits == (most == WIDE), f"a step of {WIDE} windows is {said}, and the limit is {most}", str(walk))
        limits = Limits(tape_bytes=6_000, stack_depth=150)
        walk = Walk.of(stage, Grow("deep", DEPTH), limits)
        for _ in range(2 * limits.stack_depth):
            try:
                walk.take(twice(walk))
            except LimitFault:
                break
        walk.check_held()
