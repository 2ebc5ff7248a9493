"""Drafted steps: the prompts that come next if the policy writes the targets, found by a trial."""

from collections.abc import Mapping
from contextlib import suppress

from coc_core.execution.machine import Machine


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
    drafts = dict[str, str]()

    def target_for(prompt: str) -> str | None:
        text = drafts.get(prompt)
        if text is None:
            text = known.get(prompt)
        if text is None:
            text = drafts[prompt] = machine.convention.target_for(prompt)
            if len(drafts) >= max_prompts:
                return None
        return text

    with suppress(Exception):
        machine.trial().run(target_for, lookahead)
    return drafts
