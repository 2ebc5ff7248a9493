"""Checks of a memory in long runs: deep, with wide writes, and with windows that come again and again."""

from itertools import islice

from coc_check.check import needs, require, trying
from coc_check.memory.drill import Drill, Grow
from coc_check.memory.endless import around, twice
from coc_check.memory.subject import MemorySubject
from coc_check.memory.walk import Walk
from coc_check.stage import Stage
from coc_core.errors import LimitFault, StepFault
from coc_core.memories import Pushdown
from coc_core.text import counted
from coc_core.types import Limits
from coc_problems import policy_steps

NEEDS = ("problems_are_solved", "pointer_is_the_next")
DEPTH, TWINS, LATE = 1_000, 11, 300
RUNS = (Grow("wide", 4), Grow("comb", 30), Grow("wide", 200), Grow("long", 2_000), Grow("deep", DEPTH))
TREES = (Grow("deep", 10), Grow("comb", 4), Grow("wide", 7), Grow("twins", 4))
SHORT_RUNS = (Grow("comb", 12), Grow("wide", 60), Grow("long", 2_000), Grow("deep", 200))  # of prompts that grow
PATIENCE = 4  # times the steps of a run, until it must be found to be endless
SOME = 97  # steps from one look at all windows to the next
WIDE = 6  # windows of a step at a limit


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


@needs("long_runs_are_right", "old_contents_stay")
def old_contents_stay_far_ahead(subject: MemorySubject) -> None:
    """Contents stay as they are through hundreds of steps, and each time the same steps follow from them.

    Look for a part that contents share with later ones, and that a write changes.
    """
    for stage in subject.drills:
        for run in _runs(stage):
            steps = Drill().expect(run).steps
            walk = Walk.of(stage, run).go(steps // 3)
            before = walk.view()
            seen = [walk.fork().go(steps // 2).view() for _ in range(2)]
            require(walk.view() == before, f"{steps // 2} steps have changed the contents before them", str(walk))
            require(seen[0] == seen[1], f"{steps // 2} steps from the same contents lead elsewhere", str(walk))


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


@needs("long_runs_are_right", "endless_runs_are_found")
def endless_runs_are_found_late(subject: MemorySubject) -> None:
    """A run that repeats itself after hundreds of steps is found out, too.

    Brent's method compares with an anchor that is renewed at powers of two, however long a run has been.
    """
    for stage in subject.drills:
        if stage.setting.convention.growing_prompts or stage.setting.convention.max_writes == 0:
            continue
        start = Walk.of(stage, Grow("twins", TWINS)).go(LATE)
        for text in around(start, LATE):
            walk = Walk.of(stage, Grow("twins", TWINS))
            for _ in range(LATE):
                walk.repeats()
                walk.go(1)
            due = PATIENCE * LATE
            for _ in range(due):
                if walk.repeats():
                    break
                walk.take(text)
            else:
                require(False, f"given {text!r} after {LATE} steps, it has not found out {due} steps later", str(walk))


@needs("long_runs_are_right", "windows_per_step_are_capped", "growth_is_capped")
def caps_are_exact(subject: MemorySubject) -> None:
    """A step that writes just as many windows as the limit is taken, one more is refused; large caps hold, too.

    A cap bounds what is held after the step.
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
