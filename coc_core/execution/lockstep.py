"""The executor for many problems: all machines take a step together, and the model gets their prompts in one batch.

Each prompt comes with a draft, the target that the domain's policy would write. A model that can check drafts does so
faster than it decodes, and writes the same targets.
"""

from collections.abc import Hashable, Iterable, Iterator

from attrs import frozen

from coc_core.errors import StepFault
from coc_core.execution.executor import CACHE_BYTES, Executor, Waiting, of_all
from coc_core.execution.machine import Machine
from coc_core.models import Model, ResponseCache, call_each
from coc_core.text import Whole, read, setting

MOST_MACHINES = 1 << 16


class Lockstep(Executor):
    """Calls the model once a round, with the next prompts of all active machines.

    When a machine ends, the next one takes its place. A deterministic model is called once for each distinct prompt,
    and its responses are cached for all machines and rounds.
    """

    name = "lockstep"
    max_machines = 128
    """The largest number of machines that are active at once."""

    cache_bytes = CACHE_BYTES

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        upcoming, waiting, known = iter(machines), list[Waiting](), ResponseCache[str](self.cache_bytes)
        while True:
            while len(waiting) < self.max_machines and (machine := next(upcoming, None)) is not None:
                if (prompt := machine.run(known.get)) is None:
                    yield machine
                else:
                    waiting.append(Waiting(machine, prompt))
            if not waiting:
                return
            shared, called = model.deterministic, dict[Hashable, Waiting]()
            keys: list[Hashable] = [entry.prompt if shared else place for place, entry in enumerate(waiting)]
            for key, entry in zip(keys, waiting, strict=True):
                called.setdefault(key, entry)
            responses = dict(zip(called, call_each(model, *of_all(list(called.values()), model)), strict=True))
            for key, response in responses.items():
                if shared and isinstance(response, str):
                    known.add(str(key), response)
            before, waiting = waiting, []
            for key, (machine, prompt) in zip(keys, before, strict=True):
                response = responses[key]
                if isinstance(response, StepFault):
                    machine.fail(response, prompt)
                elif prompt not in known:  # otherwise it is the first of the steps that are taken now
                    machine.step(response)
                if (following := machine.run(known.get)) is None:
                    yield machine
                else:
                    waiting.append(Waiting(machine, following))


@frozen
class _Options:
    machines: int = setting(Whole(1, MOST_MACHINES), Lockstep.max_machines)


def configured(text: str) -> Lockstep:
    """Return the executor for `lockstep:machines=N`; UsageError if the option is malformed."""
    executor = Lockstep()
    executor.max_machines = _Options(**read(_Options, text, "the executor lockstep")).machines
    return executor
