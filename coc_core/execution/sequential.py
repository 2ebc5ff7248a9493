"""The executor that takes Algorithm 1 literally."""

from collections.abc import Iterable, Iterator

from coc_core.execution.executor import Executor, ask
from coc_core.execution.machine import Machine
from coc_core.models import Model


class Sequential(Executor):
    """Algorithm 1 as the paper prints it: one window, one question, one step."""

    name = "sequential"

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        for machine in machines:
            while (prompt := machine.prompt()) is not None:
                for answer in ask(model, machine, prompt):
                    machine.advance(answer)
            yield machine
