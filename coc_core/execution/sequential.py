"""The executor that takes Algorithm 1 literally."""

from collections.abc import Iterable, Iterator

from coc_core.execution.executor import Executor, take_step
from coc_core.execution.machine import Machine
from coc_core.models import Model


class Sequential(Executor):
    """Algorithm 1 as the paper prints it: one window, one model call, one step."""

    name = "sequential"

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        for machine in machines:
            while take_step(machine, model):
                pass
            yield machine
