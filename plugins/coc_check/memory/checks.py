"""What every memory and its convention have to get right, in small runs, and in endless, deep, wide or long ones."""

from collections.abc import Callable, MutableSequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from coc_check.check import PLAIN_NAME, Nonconforming, needs, one_line, require
from coc_check.hostile import mutations
from coc_check.memory.drill import Drill, Grow
from coc_check.memory.subject import MemorySubject, View, Walk
from coc_check.plain import run_plainly
from coc_check.results import definition, shown
from coc_core.domain import StoresRecords
from coc_core.errors import AddressFault, LimitFault, ProtocolFault, StepFault
from coc_core.memories import Memory, Pushdown, Target
from coc_core.text import counted, find_unprintable, quoted
from coc_core.types import Limits, Step
from coc_problems import policy_steps

MUTATIONS, FEW, PLACES = 30, 10, 4  # texts that are tried, fewer at each step, and places of a run where they are
AHEAD = (1, 3)  # steps that are taken from contents that others follow from
ROOM = 64  # characters that a prompt may have more than twice the first one
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


def types_are_right(subject: MemorySubject) -> None:
    """Whatever the methods of the memory and its convention return has the type that the interface names.

    A method without `return` gives None, a tuple of one needs its comma, and a class is not one of its objects.
    """
    for stage in subject.drills:
        walk = subject.drill(stage, Grow("comb", 2))
        where, read = definition(type(walk.memory)), definition(type(walk.memory), "read")
        right = isinstance(walk.memory, Memory)
        require(right, f"the factory {subject.spec.factory} returned {shown(walk.memory)}, not a Memory", where=where)
        require(not walk.halted, "`read` returned None, which means halted, before the first step", where=read)
        while not walk.halted:
            seen, _ = walk.memory.windows(walk.contents), walk.memory.key(walk.contents)
            require(all(isinstance(text, str) for text in seen), f"a window is not a text: {tuple(seen)!r}")
            walk.go(1)


@needs("types_are_right")
def names_are_plain(subject: MemorySubject) -> None:
    """The names of the memory, its convention and its dialects are lower-case letters, digits and dashes.

    Run files, checkpoints and the command line hold them.
    """
    for walk in subject.walks(longest=True):
        for name in (subject.name, walk.memory.name, walk.convention.name, walk.convention.dialect):
            plain = all(PLAIN_NAME.fullmatch(part) for part in name.split("/"))
            require(plain, f"the name {quoted(name)} is not of lower-case letters, digits, dashes")


@needs("types_are_right")
def contents_are_values(subject: MemorySubject) -> None:
    """Contents stay as they were, whatever is read or written; the same steps lead from them to the same, each time.

    `write` makes others and changes nothing that the old ones have, `windows` gives a tuple, and what moves the memory
    on belongs in `write`. Look for contents that several memories share, such as a default argument or an attribute.
    """
    for walk, twin in zip(subject.walks(), subject.walks(), strict=True):
        past = list[tuple[Walk, View]]()
        while not walk.halted:
            before, seen = walk.view, walk.memory.windows(walk.contents)
            _ = walk.memory.key(walk.contents), walk.memory.read(walk.contents)
            if isinstance(seen, MutableSequence):
                seen.append("changed from outside")
            _same(before, walk.view, "looking at {} gives {} the next time")
            _same(before, twin.view, "two runs differ: {} and {}")
            past.append((walk.fork(), before))
            after = walk.fork().go(1).view
            for ahead in AHEAD if walk.longest else ():
                walk.fork().go(ahead)
                other = walk.fork()
                for _ in range(ahead):
                    if not other.halted:
                        other.take(other.twice)
            _same(before, walk.view, "a step has made of {}, from which it was taken, {}")
            _same(after, walk.go(1).view, "a step gives {}, and once more {}")
            twin.go(1)
        for old, before in past:
            _same(before, old.view, "later steps have made of {} {}")


def _same(wanted: View, found: View, complaint: str) -> None:
    if found != wanted:
        raise Nonconforming(complaint.format(wanted, found))


@needs("contents_are_values")
def pointer_is_the_next(subject: MemorySubject) -> None:
    """`read` gives the next window after its index in `windows`.

    `windows` lists them oldest first, those that were run included if the memory still holds them.
    """
    for walk in subject.steps():
        seen, parse_prompt = walk.view, walk.convention.parse_prompt
        there = f"the index is {seen.pointer} among {len(seen.windows)} windows"
        require(0 <= seen.pointer < len(seen.windows), there)
        text, first = seen.windows[seen.pointer], walk.fork()
        if isinstance(walk.stage.setting.domain, StoresRecords):  # the record comes after the instruction
            same = str(walk.window).startswith(text)
        else:
            first.contents = walk.memory.start(text)
            same = parse_prompt(first.prompt)[0] == parse_prompt(walk.prompt)[0]
        require(same, f"{there}; there is {text!r}, but `read` leads to {seen.prompt!r}")


@needs("contents_are_values")
def prompts_round_trip(subject: MemorySubject) -> None:
    """A prompt says which instruction it is about, in printable ASCII, and no other text is a prompt.

    `parse_prompt` reads what `prompt` writes, and raises ValueError for anything else.
    """
    for walk in subject.walks():
        first, wanted = walk.convention.parse_prompt(walk.prompt)[0], walk.stage.setting.domain.start(walk.task.problem)
        same = walk.convention.local_names or first == wanted
        require(same, f"the first prompt is about {first!r}, not about {wanted!r}")
    for walk in subject.steps():
        prompt, convention = walk.prompt, walk.convention
        require(find_unprintable(prompt) is None, f"a prompt is unprintable: {prompt!a}")
        instruction, _ = convention.parse_prompt(prompt)
        again = convention.instruction_prompt(instruction) if convention.memoryless else prompt
        require(again == prompt, f"the prompt for {instruction!r} is {again!r}, and then {prompt!r}")
    for walk in subject.walks(longest=True):
        for text in mutations(walk.prompt, MUTATIONS):
            try:
                walk.convention.parse_prompt(text)
            except ValueError:
                continue


@needs("prompts_round_trip")
def targets_round_trip(subject: MemorySubject) -> None:
    """Every target of the policy is read as it was written, and any other text is a ProtocolFault of one line.

    `format` writes what `parse` reads; look for a field that is read and not written, or the other way round. A text is
    a target only if `format` gives just that text.
    """
    for walk in subject.steps():
        right, convention = walk.target, walk.convention
        require(find_unprintable(right) is None and bool(right), f"a target is empty or unprintable: {right!a}")
        reply = convention.parse(right)
        written = convention.format(reply.target)
        require(written == right == reply.text, f"{right!r} is written again as {written!r}")
        require(convention.parse(right) == reply, f"{right!r} is read in two ways")
        for text in (f"{right} ", f"{right}\n", f" {right}", *mutations(right, FEW)) if walk.longest else ():
            try:
                again = convention.format(convention.parse(text).target)
                require(again == text, f"{quoted(text)} is a target, and is written as {quoted(again)}")
            except ProtocolFault as fault:
                plain = one_line(fault.message)
                require(plain, f"the fault of {quoted(text)} is not one plain line: {fault.message!a}")


@needs("targets_round_trip")
def problems_are_solved(subject: MemorySubject) -> None:
    """The reference model solves every small problem, with the same plan as on every other memory.

    If a run is a fault, look at what `compose` writes and `resolve` makes of it; if the plan is another, at the order
    in which windows are run: those of a step before all that were there. If a run is said never to halt, look at `key`:
    the same window may come again, with others below or after it, so it names all that decides what follows.
    """
    for walk in subject.walks():
        run = run_plainly(walk.stage.setting, walk.task.problem)
        how = f"{run.outcome.status} after {run.outcome.steps} steps: {run.outcome.fault}"
        require(run.outcome.status == "solved", f"the reference's run is {how}")
        require(run.plan == walk.task.plan, f"the plan is another than the policy's: {run.plan!r}")


@needs("problems_are_solved")
def refused_writes_change_nothing(subject: MemorySubject) -> None:
    """A step that the memory refuses is an AddressFault or a LimitFault and leaves the contents as they were.

    Look at every write, and the limits, before the first change.
    """
    for walk in subject.walks(longest=True):
        for place in range(0, walk.task.steps, walk.task.steps // PLACES + 1):
            here = Walk(walk.stage, walk.task).go(place)
            for text in mutations(here.target, MUTATIONS):
                _refused(here.fork(), text)
    for tight in (Limits(windows_per_step=1), Limits(tape_bytes=100), Limits(stack_depth=2)):
        for walk in subject.walks(tight, longest=True):
            while not walk.halted and not _refused(walk, walk.target):
                pass


def _refused(walk: Walk, text: str) -> bool:
    """Return whether a text is no step; Nonconforming if the contents are others then, or the fault of another kind."""
    before = walk.view
    try:
        walk.convention.parse(text)
    except ProtocolFault:
        return True
    try:
        walk.take(text)
    except StepFault as fault:
        after, what = walk.view, f"the target {quoted(text)} is refused ({fault.message})"
        require(after == before, f"{what} and has changed the contents: {before} became {after}")
        return True
    except Exception as error:
        what = f"the target {quoted(text)} raised {type(error).__name__}: {error}"
        require(False, f"{what}; a memory refuses with an {AddressFault.__name__} or a {LimitFault.__name__}")
    return False


@needs("problems_are_solved")
def certain_prompts_come(subject: MemorySubject) -> None:
    """The prompts that a target is said to lead to come later in that run, and no prompt grows with the steps taken.

    `certain_prompts` names sure ones only; an executor may call the model with them beforehand. A window holds one
    instruction, and not what was done before. If prompts are meant to grow, set `growing_prompts`.
    """
    for walk in subject.walks():
        sure, seen, most = dict[str, int](), dict[str, int](), 2 * len(walk.prompt) + ROOM
        for step in range(walk.task.steps):
            prompt, text = walk.prompt, walk.target
            short = walk.convention.growing_prompts or len(prompt) <= most
            require(short, f"a prompt has {len(prompt)} characters, more than {most}: {prompt}")
            seen[prompt] = step
            sure |= dict.fromkeys(walk.convention.certain_prompts(text), step)
            walk.take(text)
        for prompt, step in sure.items():
            came = seen.get(prompt, -1) > step
            require(came, f"{prompt!r} was to come after step {step + 1}, and did not")


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
    return [lambda walk: walk.twice, *(partial(_text, text=convention.format(target)) for target in back)]


def _text(walk: Walk, text: str) -> str:
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
