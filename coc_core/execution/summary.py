"""The executor that composes what the model's targets do instead of running them step by step."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from coc_core.errors import StepFault
from coc_core.execution.cached import Cached
from coc_core.execution.executor import Executor
from coc_core.execution.machine import Machine
from coc_core.execution.summaries import Summaries
from coc_core.models import Model


class Summary(Executor):
    """Calls the model once for each prompt that it can be led to, and skips whatever is known to end without a fault.

    Where the next window leads to a fault, or to no end, its step is taken, and what follows is looked at in turn. So
    the machine itself ends the run, at the step and with the fault of Algorithm 1, after as many steps as the windows
    are nested. Where no step can be skipped (`Machine.skippable`), this is `cached`.
    """

    name = "summary"
    needs_determinism = True
    skips = ("linked", "chain")
    max_machines = 128
    """The largest number of machines whose prompts are explored together."""

    max_prompts, max_values = 1 << 14, 1 << 21
    """How many prompts are kept, and how many values their operators may need and set together."""

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        remaining = iter(machines)
        first = list(islice(remaining, 1))
        skippable = all(map(self.skips_steps_of, first))
        self._delegated_to, self.remarks = None if skippable else Cached.name, ()
        run = self._skip if skippable else Cached().stream
        yield from run(chain(first, remaining), model)

    def _skip(self, machines: Iterator[Machine], model: Model) -> Iterator[Machine]:
        summaries = Summaries(model, self.max_prompts, self.max_values)
        while group := list(islice(machines, self.max_machines)):
            if summaries.full:
                summaries.clear()
            summaries.explore(group)
            for machine in group:
                if self._finish(machine, summaries, alone=len(group) == 1):
                    yield machine
                else:
                    yield from Cached().stream([machine], model)

    def _finish(self, machine: Machine, summaries: Summaries, alone: bool) -> bool:
        """Run a machine to its end; False if it comes to more prompts than can be kept, even `alone`."""
        skippable = machine.skippable
        while (prompt := machine.peek()) is not None:
            if prompt not in summaries.responses:
                if summaries.full:
                    if alone:
                        return False
                    summaries.clear()
                    alone = True
                summaries.explore([machine])
            summary = summaries.by_prompt.get(prompt)
            if not (skippable and summary is not None and machine.skip(summary)):
                response = summaries.responses[prompt]
                if isinstance(response, StepFault):
                    machine.fail(response, prompt)
                else:
                    machine.step(response)
        if machine.fault is not None and machine.fault.kind == "loop":
            cycle = summaries.cycle(machine.convention.prompt(machine.window))
            self.remarks = (f"recursion without end: {' -> '.join(cycle)}",) if cycle else ()
        return True
