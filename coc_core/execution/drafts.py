"""Drafted steps: the prompts that come next if the policy writes the targets, found by a trial run that is undone."""

from collections.abc import Mapping

from coc_core.arithmetic import Inline, Symbolic
from coc_core.execution.machine import Machine

_EXACT = {oracle.notation: oracle() for oracle in (Inline, Symbolic)}


def draft_steps(machine: Machine, max_prompts: int, known: Mapping[str, str], lookahead: int) -> dict[str, str]:
    """Draft the next steps of a machine, with the policy's targets and exact arithmetic.

    The machine is left as it was, no listener is called, and no exception is raised.

    Args:
        machine: Where the drafted steps begin.
        max_prompts: The largest number of prompts to draft. There are fewer, or none, if the run would end or the
            policy fails.
        known: Targets that need no draft.
        lookahead: The largest number of steps to look ahead, including those whose targets are known.

    Returns:
        The drafted target of each prompt that is not in `known`, in the order of the steps.
    """
    memory, convention, act = machine.memory, machine.convention, machine.domain.apply
    arithmetic, state, drafts = _EXACT[convention.notation], machine.state, dict[str, str]()
    mark = memory.mark()
    try:
        for _ in range(min(lookahead, machine.limits.steps - machine.steps)):
            window = memory.fetch()
            if window is None:
                break
            prompt = convention.prompt(window)
            text = drafts.get(prompt)
            if text is None:
                text = known.get(prompt)
            if text is None:
                text = drafts[prompt] = convention.target_for(prompt)
                if len(drafts) >= max_prompts:
                    break
            parsed = convention.parse(text)
            write = convention.resolve(parsed, window, arithmetic)
            for action in convention.actions(parsed, window):
                state = act(state, action)
            memory.apply(write)
    except Exception:
        pass
    finally:
        memory.rollback(mark)
    return drafts
