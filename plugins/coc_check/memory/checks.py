"""What every memory and its convention have to get right, in small runs, and in endless, deep, wide or long ones."""

from collections.abc import Mapping, MutableSequence
from contextlib import suppress
from functools import partial
from itertools import islice, product
from typing import Any

from attrs import evolve

from coc_check.check import PLAIN_NAME, definition, one_line, require
from coc_check.hostile import mutations
from coc_check.memory.subject import Grow, MemorySubject, Place, View
from coc_check.plain import Trace
from coc_check.scripted import left_undone
from coc_check.stage import Stage
from coc_core.domain import StoresRecords
from coc_core.errors import AddressFault, LimitFault, ProtocolFault, StepFault
from coc_core.memories import Convention, Pushdown
from coc_core.text import find_unprintable, quoted
from coc_core.types import Limits
from coc_problems import policy_actions

MUTATIONS, FEW, PLACES = 30, 10, 4  # texts that are tried, fewer at each step, and places of a run where they are
AHEAD = 4  # places that are read from contents that others follow from
ROOM = 64  # characters that a prompt may have more than twice the first one
LATE = (0, 2, 7)  # steps of the policy before a run repeats itself
MOST = 40  # steps after that
CAPS = Limits(tape_bytes=3_000, stack_depth=40)
TIGHT = Limits(windows_per_step=1), Limits(tape_bytes=100), Limits(stack_depth=2)
FULL = Limits(tape_bytes=6_000, stack_depth=150, steps=300)
DEPTH = 1_000
LARGE = (Grow("wide", 200), Grow("long", 2_000), Grow("deep", DEPTH), Grow("twins", 11))
RUNS = (Grow("wide", 4), Grow("comb", 30), *LARGE)
TREES = (Grow("deep", 10), Grow("comb", 4), Grow("wide", 7), Grow("twins", 4))
SHORT_RUNS = (Grow("comb", 12), Grow("wide", 60), Grow("long", 2_000), Grow("deep", 200), Grow("twins", 7))
"""The same where prompts grow."""
WIDE = 6  # windows of a step at a limit


def types_are_right(subject: MemorySubject) -> None:
    """A memory has a window to run at the start; windows are texts, names lower-case letters, digits and dashes.

    Run files, checkpoints and the command line hold the names of the memory, of its convention and of its dialects. A
    method without `return` gives None, a tuple of one needs its comma, and a class is not one of its objects.
    """
    for stage in subject.drills:
        first = subject.begin(stage, Grow("comb", 2))
        for name in (subject.name, first.memory.name, first.convention.name, first.convention.dialect):
            plain = all(PLAIN_NAME.fullmatch(part) for part in name.split("/"))
            require(plain, f"the name {quoted(name)} is not of lower-case letters, digits, dashes")
        halted, where = "`read` returned None, which means halted, before the first step", type(first.memory)
        require(first.window is not None, halted, where=definition(where, "read"))
        for place in first.steps():
            seen, _ = place.memory.windows(place.contents), place.memory.key(place.contents)
            require(all(isinstance(text, str) for text in seen), f"a window is not a text: {tuple(seen)!r}")


def contents_are_values(subject: MemorySubject) -> None:
    """Contents stay as they were, whatever is read, written or refused; the same steps lead from them to the same.

    `write` makes others and changes nothing that the old ones have, `windows` gives a tuple, and what moves the memory
    on belongs in `write`. Look for contents that several memories share, such as a default argument or an attribute. A
    step that is refused is an AddressFault or a LimitFault: look at every write, and the limits, before the first
    change.
    """
    for place, twin in zip(subject.starts(), subject.starts(), strict=True):
        past = list[tuple[Place, View]]()
        while place.window is not None:
            before, seen = place.view, place.memory.windows(place.contents)
            _ = place.memory.key(place.contents), place.memory.read(place.contents)
            if isinstance(seen, MutableSequence):
                seen.append("changed from outside")
            _same(before, place.view, "looking at {} gives {} the next time")
            _same(before, twin.view, "two runs differ: {} and {}")
            past.append((place, before))
            after = place.after().view
            if place.longest:
                place.after(left_undone(place.convention, place.prompt, 2))
                list(islice(place.steps(), AHEAD))
            _same(before, place.view, "a step has made of {}, from which it was taken, {}")
            place, twin = place.after(), twin.after()
            _same(after, place.view, "a step gives {}, and once more {}")
        for old, before in past:
            _same(before, old.view, "later steps have made of {} {}")
        for old, _ in past[:: len(past) // PLACES + 1] if past[0][0].longest else ():
            for text in mutations(old.target, MUTATIONS):
                _taken(old, text)
    for tight in TIGHT:
        for start in subject.starts(tight, longest=True):
            here: Place | None = start
            while here is not None and here.window is not None:
                here = _taken(here, here.target)


def _same(wanted: View, found: View, complaint: str) -> None:
    require(found == wanted, complaint.format(wanted, found))


def _taken(place: Place, text: str) -> Place | None:
    """Return the place after a text, None if it is no step; Nonconforming if the contents are others then, or the fault
    is of another kind.
    """
    before = place.view
    try:
        place.convention.parse(text)
    except ProtocolFault:
        return None
    try:
        return place.after(text)
    except StepFault as fault:
        after, what = place.view, f"the target {quoted(text)} is refused ({fault.message})"
        require(after == before, f"{what} and has changed the contents: {before} became {after}")
    except Exception as error:
        what = f"the target {quoted(text)} raised {type(error).__name__}: {error}"
        require(False, f"{what}; a memory refuses with an {AddressFault.__name__} or a {LimitFault.__name__}")
    return None


def texts_round_trip(subject: MemorySubject) -> None:
    """Prompts and targets of the policy are printable ASCII and read as they were written, and no other text is one.

    `parse_prompt` reads what `prompt` writes, and raises ValueError for anything else. `format` writes what `parse`
    reads, which is a ProtocolFault of one line for anything else; look for a field that is read and not written, or the
    other way round. `read` gives the window after its index in `windows`, which lists them oldest first, those that
    were run included if the memory still holds them.
    """
    for start in subject.starts():
        first, wanted = start.convention.parse_prompt(start.prompt)[0], start.stage.setting.domain.start(start.problem)
        same = start.convention.local_names or first == wanted
        require(same, f"the first prompt is about {first!r}, not about {wanted!r}")
        for place in start.steps():
            _round_trips(place)


def _round_trips(place: Place) -> None:
    prompt, right, convention = place.prompt, place.target, place.convention
    for text in (prompt, right):
        require(bool(text) and find_unprintable(text) is None, f"a text is empty or unprintable: {text!a}")
    instruction, _ = convention.parse_prompt(prompt)
    _is_the_next(place, instruction)
    again = convention.instruction_prompt(instruction) if convention.memoryless else prompt
    require(again == prompt, f"the prompt for {instruction!r} is {again!r}, and then {prompt!r}")
    reply = convention.parse(right)
    written = convention.format(reply.target)
    require(written == right == reply.text, f"{right!r} is written again as {written!r}")
    require(convention.parse(right) == reply, f"{right!r} is read in two ways")
    if place.longest:
        _others_are_refused(convention, prompt, right)


def _is_the_next(place: Place, instruction: Any) -> None:
    """Nonconforming unless the window at the index that `read` gives is that of the prompt with this instruction."""
    seen = place.view
    there = f"the index is {seen.pointer} among {len(seen.windows)} windows"
    require(0 <= seen.pointer < len(seen.windows), there)
    text = seen.windows[seen.pointer]
    if isinstance(place.stage.setting.domain, StoresRecords):  # the record comes after the instruction
        same = str(place.window).startswith(text)
    else:
        first = evolve(place, contents=place.memory.start(text))
        same = place.convention.parse_prompt(first.prompt)[0] == instruction
    require(same, f"{there}; there is {text!r}, but `read` leads to {seen.prompt!r}")


def _others_are_refused(convention: Convention[Any, Any], prompt: str, target: str) -> None:
    for text in mutations(prompt, FEW):
        with suppress(ValueError):
            convention.parse_prompt(text)
    for text in (f"{target} ", f"{target}\n", f" {target}", *mutations(target, FEW)):
        try:
            again = convention.format(convention.parse(text).target)
            require(again == text, f"{quoted(text)} is a target, and is written as {quoted(again)}")
        except ProtocolFault as fault:
            plain = one_line(fault.message)
            require(plain, f"the fault of {quoted(text)} is not one plain line: {fault.message!a}")


def problems_are_solved(subject: MemorySubject) -> None:
    """The reference model solves every small problem, and deep, wide and long ones, with the plan of the policy.

    If a run is a fault, look at what `compose` writes and `resolve` makes of it; if the plan is another, at the order
    in which windows are run: those of a step before all that were there. If a run is said never to halt, look at `key`:
    the same window may come again, with others below or after it, so it names all that decides what follows. In a long
    run, look for a bound that nobody asked for: a list that is cut, a depth that is not counted. `certain_prompts`
    names prompts that are sure to come later, with which an executor may call the model beforehand. No prompt grows
    with the steps taken: a window holds one instruction, and not what was done before. If they are meant to grow, set
    `growing_prompts`.
    """
    for stage in subject.stages:
        for task in stage.tasks:
            _prompts_come(stage.setting.convention, _solved(subject, stage, task.problem, task.plan))
    for stage in subject.drills:
        for problem in SHORT_RUNS if stage.setting.convention.growing_prompts else RUNS:
            _solved(subject, stage, problem, tuple(policy_actions(stage.setting.domain, problem)))


def _solved(subject: MemorySubject, stage: Stage, problem: Any, plan: tuple[Any, ...]) -> Trace:
    """Return the policy's run of a problem; Nonconforming unless it is solved with this plan."""
    run = subject.run(stage, problem)
    how = f"{run.outcome.status} after {run.outcome.steps} steps: {run.outcome.fault}"
    require(run.outcome.status == "solved", f"the reference's run is {how}")
    require(run.plan == plan, f"the plan is another than the policy's: {run.plan!r}")
    return run


def _prompts_come(convention: Convention[Any, Any], run: Trace) -> None:
    """Nonconforming if a prompt grows with the steps taken, or one does not come that a target was said to lead to."""
    sure, seen, most = dict[str, int](), dict[str, int](), 2 * len(run.steps[0].prompt) + ROOM
    for step in run.steps:
        short = convention.growing_prompts or len(step.prompt) <= most
        require(short, f"a prompt has {len(step.prompt)} characters, more than {most}: {step.prompt}")
        seen[step.prompt] = step.step
        sure |= dict.fromkeys(convention.certain_prompts(step.target), step.step)
    for prompt, number in sure.items():
        require(seen.get(prompt, 0) > number, f"{prompt!r} was to come after step {number}, and did not")


def endless_runs_are_found(subject: MemorySubject) -> None:
    """A model that repeats itself is found out, or stopped by a limit.

    Where contents come again, so does their `key`. Where the memory only grows, its level falls.
    """
    for stage in subject.stages:
        task, convention = stage.tasks[-1], stage.setting.convention
        steps = subject.run(stage, task.problem).steps
        for late, times in product((late for late in LATE if late < len(steps)), (1, 2)):
            first, most = {step.prompt: step.target for step in steps[:late]}, late + MOST
            respond = partial(_late_undone, convention, first, times)
            run = subject.run(stage, task.problem, evolve(CAPS, steps=most), respond)
            places = {(step.windows, step.pointer) for step in run.steps}
            found = len(run.steps) < most or len(places) == most
            require(found, f"it is where it was before, and has not found out after {MOST} steps")


def _late_undone(convention: Convention[Any, Any], first: Mapping[str, str], times: int, prompt: str) -> str:
    """Return the policy's target where a run begins, and then one that leaves the instruction to be done again."""
    return first.get(prompt) or left_undone(convention, prompt, times)


def writing_nothing_pops(subject: MemorySubject) -> None:
    """On a `Pushdown` memory, to write nothing leaves what all steps that the next window leads to would leave.

    Then an executor can skip them.
    """
    for stage in subject.drills:
        for problem in TREES if stage.setting.convention.max_writes != 0 else ():
            first = subject.begin(stage, problem)
            for place in first.steps() if isinstance(first.memory, Pushdown) else ():
                seen = evolve(place, contents=place.memory.write(place.contents, ())).view
                stepped, below = place, len(place.view.windows) - 1
                while len(stepped.view.windows) > below:
                    stepped = stepped.after()
                require(seen == stepped.view, f"to write nothing leaves {seen}, the steps {stepped.view}")


def caps_are_exact(subject: MemorySubject) -> None:
    """A step that writes just as many windows as the limit is taken, one more is refused; large caps hold, too.

    A cap bounds what is held after the step, in bytes or in windows. A run that only grows would take all the machine's
    memory.
    """
    for stage in (stage for stage in subject.drills if stage.setting.convention.max_writes != 0):
        for most in (WIDE, WIDE - 1):
            taken = subject.run(stage, Grow("wide", WIDE), Limits(windows_per_step=most)).outcome.status == "solved"
            complaint = f"a step of {WIDE} windows is {'taken' if taken else 'refused'}, and the limit is {most}"
            require(taken == (most == WIDE), complaint)
        twice = partial(left_undone, stage.setting.convention, times=2)
        held = subject.run(stage, Grow("deep", DEPTH), FULL, twice).windows
        size = sum(len(window.encode()) for window in held)
        within = size <= FULL.tape_bytes or len(held) <= FULL.stack_depth
        require(within, f"it holds {len(held)} windows of {size} bytes, the limits are {FULL}")
