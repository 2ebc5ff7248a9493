"""Checks of what a memory holds, and of its convention: prompts, targets and refused writes."""

from collections.abc import MutableSequence

from coc_check.check import PLAIN_NAME, Nonconforming, needs, one_line, require
from coc_check.hostile import mutations
from coc_check.memory.drill import Grow
from coc_check.memory.subject import MemorySubject, View, Walk
from coc_check.plain import run_plainly
from coc_check.results import definition, shown
from coc_core.domain import StoresRecords
from coc_core.errors import AddressFault, LimitFault, ProtocolFault, StepFault
from coc_core.memories import Memory
from coc_core.text import find_unprintable, quoted
from coc_core.types import Limits

MUTATIONS, FEW, PLACES = 30, 10, 4  # texts that are tried, fewer at each step, and places of a run where they are
AHEAD = (1, 3)  # steps that are taken from contents that others follow from
ROOM = 64  # characters that a prompt may have more than twice the first one


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
