"""The executor that chooses among the others."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from coc_core import execution
from coc_core.execution.executor import Executor, Sequential
from coc_core.execution.machine import Machine
from coc_core.models import Model


class Auto(Executor):
    """Picks the executor that suits the model, the setting and the number of runs; `used` names it.

    - `sequential` for a nondeterministic model: no response may be reused, and no draft checked.
    - `summary` where steps can be skipped and the policy is recursive: on a stack, in a domain whose actions are
      operators, if nobody needs every step (`Machine.skippable`). Other policies write a new prompt at each step.
    - `lockstep` for several runs: each batch has prompts of all of them.
    - `cached` for one run with few distinct prompts. If a prompt depends on its instruction alone and the policy is
      recursive, a million steps have a few hundred distinct prompts.
    - `speculative` for any other run: almost every step has a new prompt, and drafts are checked in batches.
    """

    name = "auto"
    skips = ("linked",)

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        remaining = iter(machines)
        first = list(islice(remaining, 2))
        self._delegate, self.remarks = self._executor_for(first, model), ()
        return self._delegate._run(chain(first, remaining), model)

    def _executor_for(self, first: list[Machine], model: Model) -> Executor:
        """Return the executor for a sequence of runs that starts with these, at most two."""
        if not model.deterministic:
            return Sequential()
        if first and all(map(self.skips_steps_of, first)):
            return execution.Summary()
        if len(first) != 1:
            return execution.Lockstep()
        (machine,) = first
        few_prompts = machine.convention.memoryless and machine.domain.continuation == "linked"
        return execution.Cached() if few_prompts else execution.Speculative()
