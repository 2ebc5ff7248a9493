"""The executor that drafts the next steps with the domain's policy and has the model check all drafts at once.

Only targets of the model are committed, each to its own prompt. So a wrong draft costs time and changes nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from coc_core.errors import StepFault
from coc_core.execution.executor import CACHE_BYTES, Executor, attributed_to
from coc_core.execution.machine import Machine
from coc_core.models import Model, ResponseCache, call_each


class Speculative(Executor):
    """Drafts many steps of one machine, and takes the model's targets up to the first wrong draft.

    The number of drafts doubles while all of them are right, and shrinks after a wrong one. The model is called once
    for each distinct prompt, and its responses are cached for all machines.
    """

    name = "speculative"
    needs_determinism = True

    first_draft, max_draft = 4, 64
    """The number of prompts in the first draft, and the largest number."""

    lookahead = 1024
    """The largest number of steps to look ahead, including those whose targets are known."""

    cache_bytes = CACHE_BYTES

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        known: ResponseCache[str] = ResponseCache(self.cache_bytes)
        for machine in machines:
            length = self.first_draft
            while (prompt := machine.run(known.get)) is not None:
                drafts = draft_steps(machine, length, known, self.lookahead) or {prompt: ""}
                responses = call_each(
                    model, list(drafts), list(drafts.values()), attributed_to(machine, model), stop_early=True
                )
                targets: dict[str, str] = {}
                for drafted, response in zip(drafts, responses, strict=False):
                    if isinstance(response, StepFault):  # only the first prompt: later faults do not concern this step
                        machine.fail(response, drafted)
                    else:
                        targets[drafted] = response
                        known.add(drafted, response)
                right = sum(drafts[drafted] == target for drafted, target in targets.items())
                length = min(2 * length, self.max_draft) if right == len(drafts) else max(1, right)
                machine.run(targets.get)  # includes those that the cache has no room for
            yield machine


def draft_steps(machine: Machine, max_prompts: int, known: Mapping[str, str], lookahead: int) -> dict[str, str]:
    """Draft the next steps of a machine: the policy's target, computed exactly, of each prompt not `known`, in order.

    The machine is left as it was, no listener is called, and no exception is raised.

    Args:
        max_prompts: The largest number of prompts to draft; fewer, or none, if the run would end or the policy fails.
        lookahead: The largest number of steps to look ahead, including those whose targets are known.
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
