"""Checks of a convention: the prompts that it writes, and the targets that it reads."""

from coc_check.check import needs, one_line, require
from coc_check.memory.subject import MemorySubject
from coc_check.texts.mutation import mutations
from coc_core.errors import ProtocolFault
from coc_core.text import find_unprintable, quoted

MUTATIONS = 100
ROOM = 64  # characters that a prompt may have more than twice the first one


@needs("reading_changes_nothing")
def prompts_round_trip(subject: MemorySubject) -> None:
    """A prompt says which instruction it is about, in printable ASCII, and no other text is a prompt.

    `parse_prompt` reads what `prompt` writes, and raises ValueError for anything else.
    """
    for walk in subject.walks():
        domain, convention = walk.stage.setting.domain, walk.convention
        first = convention.parse_prompt(str(walk.prompt))[0]
        wanted = domain.start(walk.task.problem)
        require(
            convention.local_names or first == wanted,
            f"the first prompt is about {first!r}, not about {wanted!r}",
            str(walk),
        )
        while not walk.halted:
            prompt = str(walk.prompt)
            require(find_unprintable(prompt) is None, f"a prompt is not printable: {prompt!a}", str(walk))
            instruction, _ = convention.parse_prompt(prompt)
            if convention.memoryless:
                again = convention.instruction_prompt(instruction)
                require(again == prompt, f"the prompt for {instruction!r} is {again!r}, and then {prompt!r}")
            walk.go(1)
    for walk in subject.long_walks():
        for text in mutations(str(walk.prompt), MUTATIONS):
            try:
                walk.convention.parse_prompt(text)
            except ValueError:
                continue


@needs("prompts_round_trip")
def targets_round_trip(subject: MemorySubject) -> None:
    """Every target of the policy is read as it was written, always in the same way.

    `format` writes what `parse` reads; look for a field that is read and not written, or the other way round.
    """
    for walk in subject.walks():
        while not walk.halted:
            text = walk.target()
            require(
                find_unprintable(text) is None and bool(text),
                f"a target is empty or unprintable: {text!a}",
                str(walk),
            )
            reply = walk.convention.parse(text)
            written = walk.convention.format(reply.target)
            require(written == text == reply.text, f"{text!r} is written again as {written!r}", str(walk))
            require(walk.convention.parse(text) == reply, f"{text!r} is read in two ways", str(walk))
            walk.go(1)


@needs("targets_round_trip")
def malformed_targets_are_faults(subject: MemorySubject) -> None:
    """Whatever a model writes is a target, or a ProtocolFault that says in one line what is wrong.

    A text is a target only if `format` gives just that text.
    """
    for walk in subject.long_walks():
        convention = walk.convention
        while not walk.halted:
            right = walk.target()
            for text in (f"{right} ", f"{right}\n", f" {right}", *mutations(right, MUTATIONS // 10)):
                try:
                    again = convention.format(convention.parse(text).target)
                except ProtocolFault as fault:
                    plain = one_line(fault.message)
                    require(plain, f"the fault of {quoted(text)} is not one plain line: {fault.message!a}", str(walk))
                else:
                    require(again == text, f"{quoted(text)} is a target, and is written as {quoted(again)}", str(walk))
            walk.go(1)


@needs("problems_are_solved")
def certain_prompts_come(subject: MemorySubject) -> None:
    """The prompts that a target is said to lead to come later in that run.

    `certain_prompts` names sure ones only; an executor may call the model with them beforehand.
    """
    for walk in subject.walks():
        sure, seen = dict[str, int](), dict[str, int]()
        for step in range(walk.task.steps):
            text = walk.target()
            seen[str(walk.prompt)] = step
            sure |= dict.fromkeys(walk.convention.certain_prompts(text), step)
            walk.take(text)
        for prompt, step in sure.items():
            require(
                seen.get(prompt, -1) > step, f"{prompt!r} was to come after step {step + 1}, and did not", str(walk)
            )


@needs("problems_are_solved")
def prompts_are_short(subject: MemorySubject) -> None:
    """No prompt grows with the number of steps taken, unless the convention says that its prompts do.

    A window holds one instruction, and not what was done before. If that is meant, set `growing_prompts`.
    """
    for walk in subject.walks():
        if walk.convention.growing_prompts:
            continue
        most = 2 * len(str(walk.prompt)) + ROOM
        while not walk.halted:
            size = len(str(walk.prompt))
            require(size <= most, f"a prompt has {size} characters, more than {most}: {walk.prompt}", str(walk))
            walk.go(1)
