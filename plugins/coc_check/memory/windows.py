"""Checks of what a memory holds: solved problems, what can be seen of it, refused writes and caps."""

from collections.abc import MutableSequence

from coc_check.check import PLAIN_NAME, needs, require
from coc_check.memory.endless import twice
from coc_check.memory.subject import MemorySubject
from coc_check.memory.walk import View, Walk
from coc_check.plain import run_plainly
from coc_check.texts.mutation import mutations
from coc_core.domain import StoresRecords
from coc_core.errors import AddressFault, LimitFault, ProtocolFault, StepFault
from coc_core.memories import Reference
from coc_core.text import quoted
from coc_core.types import Limits

NEEDS = ("reading_changes_nothing",)
MUTATIONS, PLACES = 30, 4  # texts that are tried, and places of a run where they are
AHEAD = (1, 3)  # steps that are taken from contents that others follow from
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
            if one.halted:
                break
            text = one.target()
            one.take(text)
            other.take(text)


@needs("types_are_right")
def reading_changes_nothing(subject: MemorySubject) -> None:
    """However often `read`, `windows` and `key` look at contents, these stay as they were, and nobody can change them.

    Whatever moves the memory on belongs in `write`, and `windows` gives a tuple.
    """
    for walk in subject.walks():
        while not walk.halted:
            before = walk.view()
            seen = walk.memory.windows(walk.contents)
            _ = walk.memory.key(walk.contents), walk.memory.read(walk.contents)
            require(all(isinstance(text, str) for text in seen), f"a window is not a text: {tuple(seen)!r}", str(walk))
            if isinstance(seen, MutableSequence):
                seen.append("changed from outside")
            after = walk.view()
            require(after == before, f"looking at {before} gives {after} the next time", str(walk))
            walk.go(1)


@needs("runs_are_deterministic")
def old_contents_stay(subject: MemorySubject) -> None:
    """Contents that were written from stay as they were, and the same steps follow from them each time.

    Contents are a value: `write` makes others and changes nothing that the old ones have.
    """
    for walk in subject.long_walks():
        past = list[tuple[Walk, View]]()
        while not walk.halted:
            before, after = walk.view(), walk.fork().go(1).view()
            found = walk.view()
            require(found == before, f"a step has made of {before}, from which it was taken, {found}", str(walk))
            past.append((walk.fork(), before))
            for ahead in AHEAD:
                walk.fork().go(ahead)
                _grow(walk.fork(), ahead)
            walk.go(1)
            found = walk.view()
            require(found == after, f"a step gives {after}, and once more {found}", str(walk))
        for old, before in past:
            found = old.view()
            require(found == before, f"later steps have made of {before} {found}", str(walk))


def _grow(walk: Walk, steps: int) -> None:
    for _ in range(steps):
        if not walk.halted:
            walk.take(twice(walk))


@needs("old_contents_stay")
def pointer_is_the_next(subject: MemorySubject) -> None:
    """`read` gives the next window after its index in `windows`.

    `windows` lists them oldest first, those that were run included if the memory still holds them.
    """
    for walk in subject.walks():
        while not walk.halted:
            seen = walk.view()
            there = f"the index is {seen.pointer} among {len(seen.windows)} windows"
            require(0 <= seen.pointer < len(seen.windows), there, str(walk))
            text, domain = seen.windows[seen.pointer], walk.stage.setting.domain
            if isinstance(domain, StoresRecords):  # the record comes after the instruction
                same = str(walk.window).startswith(text)
            else:
                parse_prompt, first = walk.convention.parse_prompt, walk.fork()
                first.contents = walk.memory.start(text)
                same = parse_prompt(str(first.prompt))[0] == parse_prompt(str(seen.prompt))[0]
            require(same, f"{there}; there is {text!r}, but `read` leads to {seen.prompt!r}", str(walk))
            walk.go(1)


@needs("problems_are_solved", "malformed_targets_are_faults")
def refused_writes_change_nothing(subject: MemorySubject) -> None:
    """A step that the memory refuses is an AddressFault or a LimitFault and leaves the contents as they were.

    Look at every write, and the limits, before the first change.
    """
    for walk in subject.long_walks():
        for place in range(0, walk.task.steps, walk.task.steps // PLACES + 1):
            here = Walk(walk.stage, walk.task).go(place)
            for text in mutations(here.target(), MUTATIONS):
                _refused(here.fork(), text)
    for tight in (Limits(windows_per_step=1), Limits(tape_bytes=100), Limits(stack_depth=2)):
        for walk in subject.long_walks(tight):
            while not walk.halted and not _refused(walk, walk.target()):
                pass


def _refused(walk: Walk, text: str) -> bool:
    """Whether a text is no step; Nonconforming if the contents are others then, or the fault of another kind."""
    before = walk.view()
    try:
        walk.convention.parse(text)
    except ProtocolFault:
        return True
    try:
        walk.take(text)
    except StepFault as fault:
        after, what = walk.view(), f"the target {quoted(text)} is refused ({fault.message})"
        require(after == before, f"{what} and has changed the contents: {before} became {after}", str(walk))
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
        while not walk.halted:
            text = walk.target()
            count = len(walk.convention.parse(text).windows)
            try:
                walk.take(text)
            except LimitFault:
                break
            require(count <= 1, f"a step wrote {count} windows, and the limit is 1", str(walk))


@needs("old_contents_stay")
def growth_is_capped(subject: MemorySubject) -> None:
    """A memory never holds more than `Limits.tape_bytes` bytes, or never more than `Limits.stack_depth` windows.

    A run that only grows would take all the machine's memory.
    """
    limits = Limits(tape_bytes=600, stack_depth=12)
    for walk in subject.long_walks(limits):
        for _ in range(GROWTH):
            if walk.halted:
                break
            try:
                walk.take(twice(walk))
            except LimitFault:
                break
            walk.check_held()
