"""The executor that chooses among the others."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from coc_core.execution.cached import Cached
from coc_core.execution.executor import Executor
from coc_core.execution.lockstep import Lockstep
from coc_core.execution.machine import Machine
from coc_core.execution.sequential import Sequential
from coc_core.execution.speculative import Speculative
from coc_core.models import Model


class Auto(Executor):
    """Takes the executor that suits the model, the setting and the number of runs; `used` says which it was.

    - A nondeterministic model gets one call a step: nothing may be remembered, and no draft checked.
    - Several runs go in lockstep, so that a batch has prompts of all of them.
    - One run with few distinct prompts is cached: where a prompt depends on its instruction alone, and the policy calls
      itself, a million steps have a few hundred prompts.
    - Any other run is speculative: each step has a prompt of its own, and the policy's drafts are checked in batches.
    """

    name = "auto"

    def __init__(self) -> None:
        self._used = self.name

    @property
    def used(self) -> str:
        return self._used

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        remaining = iter(machines)
        first = list(islice(remaining, 2))
        executor = _executor_for(first, model)
        self._used = executor.name
        yield from executor.stream(chain(first, remaining), model)


def _executor_for(first: list[Machine], model: Model) -> Executor:
    """What suits runs of which the first two, or fewer, are these."""
    if not model.deterministic:
        return Sequential()
    if len(first) != 1:
        return Lockstep()
    (machine,) = first
    few = machine.convention.memoryless and machine.domain.continuation == "linked"
    return Cached() if few else Speculative()
