"""The executor for many problems: all machines take a step together, and the model gets their prompts in one batch.

With each prompt goes a draft, the target that the domain's policy would write. A draft is a guess: a model that can
check one does so faster than it decodes, and writes the same target.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from coc_core.errors import StepFault
from coc_core.execution.executor import ROOM, Executor
from coc_core.execution.machine import Machine
from coc_core.models import Model, Response, ResponseCache, call_each


class Waiting(NamedTuple):
    """A machine that waits for the target of its prompt."""

    machine: Machine
    prompt: str


class PolicyDrafts(Sequence[str]):
    """The targets that the policies would write, empty where one can't say. Worked out only when a model looks."""

    def __init__(self, waiting: Sequence[Waiting]) -> None:
        self._waiting = waiting

    def __len__(self) -> int:
        return len(self._waiting)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return PolicyDrafts(self._waiting[index])
        machine, prompt = self._waiting[index]
        try:
            return machine.convention.target_for(prompt)
        except Exception:  # a wrong target may have led to an instruction that no policy knows; the run goes on
            return ""


class Lockstep(Executor):
    """Makes one batch a round, of the prompts at which the machines under way have arrived.

    A machine that has ended leaves, and the next one enters. A deterministic model gets each distinct prompt once, and
    its response is remembered, while there is room, for all machines and rounds.
    """

    name = "lockstep"
    together = 128
    """How many machines are under way at once."""

    room = ROOM

    def _run(self, machines: Iterable[Machine], model: Model) -> Iterator[Machine]:
        ahead, known = iter(machines), ResponseCache[str](self.room)
        waiting: list[Waiting] = []
        while True:
            while len(waiting) < self.together and (machine := next(ahead, None)) is not None:
                prompt = machine.run(known)
                if prompt is None:
                    yield machine
                else:
                    waiting.append(Waiting(machine, prompt))
            if not waiting:
                return
            responses, remaining = _round(waiting, model, known), []
            for (machine, prompt), response in zip(waiting, responses, strict=True):
                if isinstance(response, StepFault):
                    machine.fail(response, prompt)
                else:
                    machine.step(response)
                following = machine.run(known)
                if following is None:
                    yield machine
                else:
                    remaining.append(Waiting(machine, following))
            waiting = remaining


def _round(waiting: Sequence[Waiting], model: Model, known: ResponseCache[str]) -> list[Response]:
    """The response to each prompt. What may be remembered is added to `known`."""
    if not model.deterministic:
        return _call(waiting, model)
    distinct: dict[str, Waiting] = {}
    for one in waiting:
        distinct.setdefault(one.prompt, one)
    found = dict(zip(distinct, _call(list(distinct.values()), model), strict=True))
    for prompt, response in found.items():
        if isinstance(response, str):
            known.keep(prompt, response)
    return [found[one.prompt] for one in waiting]


def _call(waiting: Sequence[Waiting], model: Model) -> list[Response]:
    return call_each(
        model,
        [one.prompt for one in waiting],
        PolicyDrafts(waiting),
        lambda first: waiting[first].machine.attributing_errors(model),
    )
