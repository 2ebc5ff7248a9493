"""The executor that runs ahead: it drafts the next steps, and has the model check all of them at once.

A draft is what the domain's policy would do. Only targets of the model are ever committed, each to its own prompt, so
a wrong draft costs time and changes nothing.
"""

from collections.abc import Iterable, Iterator

from coc_core.errors import StepFault
from coc_core.execution.drafts import draft_steps
from coc_core.execution.executor import ROOM, Executor, attributed_to
from coc_core.execution.machine import Machine
from coc_core.models import Model, ResponseCache, call_each


class Speculative(Executor):
    """Drafts many steps of one machine, and takes the model's targets up to the first wrong draft.

    More steps are drafted where drafts are right, fewer where they are not. The model gets a prompt once, and its
    response is remembered for all machines while there is room.
    """

    name = "speculative"
    needs_determinism = True

    first, most = 4, 64
    """How many prompts are drafted at first, and at most."""

    farthest = 1024
    """How many steps ahead a draft may lie, over prompts whose targets are known."""

    room = ROOM

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        known: ResponseCache[str] = ResponseCache(self.room)
        for machine in machines:
            ahead = self.first
            while (prompt := machine.run(known)) is not None:
                drafts = draft_steps(machine, ahead, known, self.farthest) or {prompt: ""}
                responses = call_each(
                    model,
                    list(drafts),
                    list(drafts.values()),
                    attributed_to(machine, model),
                    stop_early=True,
                )
                targets: dict[str, str] = {}
                for drafted, response in zip(drafts, responses, strict=False):
                    if isinstance(response, StepFault):  # the first one: a fault of a later prompt is none of this step
                        machine.fail(response, drafted)
                    else:
                        targets[drafted] = response
                        known.keep(drafted, response)
                right = sum(drafts[drafted] == target for drafted, target in targets.items())
                ahead = min(2 * ahead, self.most) if right == len(drafts) else max(1, right)
                machine.run(targets)  # those that there was no room to remember, too
            yield machine
