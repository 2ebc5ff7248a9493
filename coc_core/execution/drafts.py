"""Drafted steps: the prompts that come next if the policy writes the targets, tried out and taken back."""

from collections.abc import Mapping

from coc_core.arithmetic import Inline, Symbolic
from coc_core.execution.machine import Machine

_EXACT = {oracle.notation: oracle() for oracle in (Inline, Symbolic)}


def draft_steps(machine: Machine, most: int, known: Mapping[str, str], farthest: int) -> dict[str, str]:
    """The prompts that are not among `known` and come next if the policy writes the targets, each with its target.

    It raises nothing, calls no listener, and leaves the machine as it was; expressions are worked out exactly.

    Args:
        machine: Where the drafted steps begin.
        most: The number of prompts at most. Fewer come, or none, where the run would end or the policy can't say.
        known: Targets that need no draft.
        farthest: The number of steps to look ahead at most, over prompts whose targets are known.

    Returns:
        The drafts by prompt, in the order in which their steps are taken.
    """
    memory, convention, act = machine.memory, machine.convention, machine.domain.apply
    arithmetic, state, drafts = _EXACT[convention.notation], machine.state, dict[str, str]()
    mark = memory.mark()
    try:
        for _ in range(min(farthest, machine.limits.steps - machine.steps)):
            window = memory.fetch()
            if window is None:
                break
            prompt = convention.prompt(window)
            text = drafts.get(prompt)
            if text is None:
                text = known.get(prompt)
            if text is None:
                text = drafts[prompt] = convention.target_for(prompt)
                if len(drafts) >= most:
                    break
            reply = convention.parse(text)
            write = convention.resolve(reply, window, arithmetic)
            for action in reply.actions:
                state = act(state, action)
            memory.apply(write)
    except Exception:
        pass
    finally:
        memory.rollback(mark)
    return drafts
