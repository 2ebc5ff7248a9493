"""Checks of what a memory holds: solved problems, what can be seen of it, refused writes and caps."""

from collections.abc import MutableSequence

from coc_check.check import PLAIN_NAME, needs, require
from coc_check.memory.endless import twice
from coc_check.memory.subject import MemorySubject
from coc_check.memory.walk import Walk
from coc_check.plain import run_plainly
from coc_check.texts.mutation import mutations
from coc_core.domain import StoresRecords
from coc_core.errors import AddressFault, LimitFault, ProtocolFault, StepFault
from coc_core.memories import Reference
from coc_core.text import quoted
from coc_core.types import Limits

NEEDS = ("fetch_changes_nothing",)
MUTATIONS, PLACES = 30, 4  # texts that are tried, and places of a run where they are
GROWTH = 60  # steps that a run is let grow


@needs("types_are_right")
def names_are_plain(subject: MemorySubject) -> None:
    """The names of the memory, its convention and its dialects are lower-case letters, digits and dashes.

    Run files, checkpoints and the command line hold them.
    """
    for walk in subject.long_walks():
        names = (subject.name, walk.memory.name, walk.convention.name, walk.convention.dialect)
        for name in names:
            plain = all(PLAIN_NAME.fullmatch(part) for part in name.split("/"))
            require(plain, f"the name {quoted(name)} is not of lower-case letters, digits, dashes")


@needs("no_halting_run_repeats", "targets_round_trip")
def problems_are_solved(subject: MemorySubject) -> None:
    """The reference model solves every small problem, with the same plan as on every other memory.

    If a run is a fault, look at what `compose` writes and `resolve` makes of it; if the plan is another, at the order
    in which windows are run: those of a step before all that were there.
    """
    for stage in subject.stages:
        for task in stage.tasks:
            run = run_plainly(stage.setting, task.problem, Reference(stage.setting.convention))
            how = f"{run.outcome.status} after {run.outcome.steps} steps: {run.outcome.fault}"
            require(run.outcome.status == "solved", f"the reference's run is {how}", stage.named(task))
            require(run.plan == task.plan, f"the plan is another than the policy's: {run.plan!r}", stage.named(task))


def runs_are_deterministic(subject: MemorySubject) -> None:
    """Two memories that start alike and are given the same targets show the same all along.

    Look for contents that several memories share, such as a default argument or an attribute of the class.
    """
    for one, other in zip(subject.walks(), subject.walks(), strict=True):
        while True:
            require(one.view() == other.view(), f"two runs differ: {one.view()} and {other.view()}", str(one))
            if one.memory.halted:
                break
            text = one.target()
            one.take(text)
            other.take(text)


@needs("types_are_right")
def fetch_changes_nothing(subject: MemorySubject) -> None:
    """However often `fetch` looks at the next window, the memory stays as it was.

    Whatever moves the memory on belongs in `apply`.
    """
    for walk in subject.walks():
        for _ in range(walk.task.steps + 1):
            before, prompt = tuple(walk.memory.windows()), walk.prompt
            for _ in range(3):
                require(walk.prompt == prompt, f"fetch gives {walk.prompt!r} after {prompt!r}", str(walk))
            after = tuple(walk.memory.windows())
            require(after == before, f"fetch made of the windows {before} these: {after}", str(walk))
            walk.go(1)


def windows_are_a_copy(subject: MemorySubject) -> None:
    """`windows()` gives texts that stay as they are, and no way to change the memory.

    Give a tuple.
    """
    for walk in subject.walks():
        for _ in range(walk.task.steps):
            seen = walk.memory.windows()
            kept = tuple(seen)
            require(all(isinstance(window, str) for window in kept), f"a window is not a text: {kept!r}", str(walk))
            walk.go(1)
            require(tuple(seen) == kept, "what windows() gave has changed with the next step", str(walk))
            seen = walk.memory.windows()
            kept = tuple(seen)
            if isinstance(seen, MutableSequence):
                seen.append("changed from outside")
            require(tuple(walk.memory.windows()) == kept, "changing what windows() gave changes the memory", str(walk))


@needs("windows_are_a_copy")
def pointer_is_the_next(subject: MemorySubject) -> None:
    """`pointer` is the index in `windows()` of the window that `fetch` gives.

    `windows()` lists them oldest first, those that were run included if the memory still holds them.
    """
    for walk in subject.walks():
        while not walk.memory.halted:
            windows, pointer = walk.memory.windows(), walk.memory.pointer
            there = f"pointer is {pointer} among {len(windows)} windows"
            require(0 <= pointer < len(windows), there, str(walk))
            if isinstance(walk.stage.setting.domain, StoresRecords):  # the record comes after the instruction
                same = str(walk.memory.fetch()).startswith(windows[pointer])
            else:
                parse_prompt = walk.convention.parse_prompt
                prompt = walk.convention.prompt(walk.fresh(windows[pointer]).fetch())
                same = parse_prompt(prompt)[0] == parse_prompt(str(walk.prompt))[0]
            require(same, f"{there}; there is {windows[pointer]!r}, but fetch leads to {walk.prompt!r}", str(walk))
            walk.go(1)


@needs("problems_are_solved")
def halting_agrees(subject: MemorySubject) -> None:
    """A memory has halted just when `fetch` gives None and `pointer` is -1, and a run of the policy comes there.

    A memory that never halts makes every run a limit fault.
    """
    for walk in subject.walks():
        for step in range(walk.task.steps + 1):
            said = (walk.memory.halted, walk.memory.fetch() is None, walk.memory.pointer == -1)
            wanted = 3 * (step == walk.task.steps,)
            found = f"halted, fetch is None, pointer is -1: {said}"
            require(said == wanted, f"after {step} of {walk.task.steps} steps {found}", str(walk))
            walk.go(1)


@needs("problems_are_solved", "malformed_targets_are_faults")
def refused_writes_change_nothing(subject: MemorySubject) -> None:
    """A step that the memory refuses is an AddressFault or a LimitFault and leaves everything as it was.

    Look at every write, and the limits, before the first change.
    """
    for walk in subject.long_walks():
        for place in range(0, walk.task.steps, walk.task.steps // PLACES + 1):
            here = Walk(walk.stage, walk.task).go(place)
            for text in mutations(here.target(), MUTATIONS):
                if not _refused(here, text):
                    here = Walk(walk.stage, walk.task).go(place)
    for tight in (Limits(windows_per_step=1), Limits(tape_bytes=100), Limits(stack_depth=2)):
        for walk in subject.long_walks(tight):
            while not walk.memory.halted and not _refused(walk, walk.target()):
                pass


def _refused(walk: Walk, text: str) -> bool:
    """Whether a text is no step; Nonconforming if the memory is another then, or the fault of another kind."""
    before = walk.view()
    try:
        walk.convention.parse(text)
    except ProtocolFault:
        return True
    try:
        walk.take(text)
    except StepFault as fault:
        after, what = walk.view(), f"the target {quoted(text)} is refused ({fault.message})"
        require(after == before, f"{what} and has changed the memory: {before} became {after}", str(walk))
        return True
    except Exception as error:
        what = f"the target {quoted(text)} raised {type(error).__name__}: {error}"
        require(
            False, f"{what}; a memory refuses with an {AddressFault.__name__} or a {LimitFault.__name__}", str(walk)
        )
    return False


def windows_per_step_are_capped(subject: MemorySubject) -> None:
    """A step that writes more windows than `Limits.windows_per_step` is a LimitFault.

    One target of a model could fill the memory otherwise.
    """
    for walk in subject.long_walks(Limits(windows_per_step=1)):
        while not walk.memory.halted:
            text = walk.target()
            count = len(walk.convention.parse(text).windows)
            try:
                walk.take(text)
            except LimitFault:
                break
            require(count <= 1, f"a step wrote {count} windows, and the limit is 1", str(walk))


@needs("windows_are_a_copy")
def growth_is_capped(subject: MemorySubject) -> None:
    """A memory never holds more than `Limits.tape_bytes` bytes, or never more than `Limits.stack_depth` windows.

    A run that only grows would take all the machine's memory.
    """
    limits = Limits(tape_bytes=600, stack_depth=12)
    for walk in subject.long_walks(limits):
        for _ in range(GROWTH):
            if walk.memory.halted:
                break
            try:
                walk.take(twice(walk))
            except LimitFault:
                break
            walk.check_held()
