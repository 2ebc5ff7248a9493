"""The executor that calls the model once for each distinct prompt."""

from collections.abc import Iterable, Iterator

from coc_core.errors import StepFault
from coc_core.execution.executor import CACHE_BYTES, Executor, attributed_to
from coc_core.execution.machine import Machine
from coc_core.models import Model, ResponseCache, call_each


class Cached(Executor):
    """Calls the model once for each distinct prompt and reuses its response.

    On a stack, or with symbolic arithmetic, a million steps have a few hundred distinct prompts. There the prompt of a
    window is certain as soon as the window is written, so the model is called for these prompts in one batch.
    """

    name = "cached"
    needs_determinism = True
    cache_bytes = CACHE_BYTES

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        known: ResponseCache[str] = ResponseCache(self.cache_bytes)
        for machine in machines:
            certain: list[str] = []
            while (prompt := machine.run(known.get)) is not None:
                prompts = [prompt, *(other for other in certain if other != prompt)]
                responses = call_each(model, prompts, within=attributed_to(machine, model))
                if isinstance(responses[0], StepFault):
                    machine.fail(responses[0], prompt)
                    break
                machine.step(responses[0])  # not left to `run`, since the cache may have no room for it
                following: dict[str, None] = {}
                for called, response in zip(prompts, responses, strict=True):
                    if isinstance(response, str):  # a fault of a later prompt does not concern this step
                        known.add(called, response)
                        following |= dict.fromkeys(machine.convention.certain_prompts(response))
                certain = [text for text in following if text not in known]
            yield machine
