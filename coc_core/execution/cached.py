"""The executor that calls the model once for each distinct prompt."""

from collections.abc import Iterable, Iterator

from coc_core.errors import StepFault
from coc_core.execution.executor import ROOM, Executor, attributed_to
from coc_core.execution.machine import Machine
from coc_core.models import Model, ResponseCache, call_each


class Cached(Executor):
    """Calls the model once for each distinct prompt and remembers the response.

    On a stack, or with symbolic arithmetic, the distinct prompts of a million steps are a few hundred. There the prompt
    of a window is certain as soon as it is written, so the model gets these prompts together.
    """

    name = "cached"
    needs_determinism = True
    room = ROOM

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        known: ResponseCache[str] = ResponseCache(self.room)
        for machine in machines:
            certain: list[str] = []
            while (prompt := machine.run(known)) is not None:
                prompts = [prompt, *(other for other in certain if other != prompt)]
                responses = call_each(model, prompts, within=attributed_to(machine, model))
                if isinstance(responses[0], StepFault):
                    machine.fail(responses[0], prompt)
                    break
                machine.step(responses[0])  # now: there may be no room to remember it
                coming: dict[str, None] = {}
                for asked, response in zip(prompts, responses, strict=True):
                    if isinstance(response, str):  # the fault of a later prompt is none of this step
                        known.keep(asked, response)
                        coming |= dict.fromkeys(machine.convention.certain_prompts(response))
                certain = [text for text in coming if text not in known]
            yield machine
