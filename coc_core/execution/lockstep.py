"""The executor for many problems: all machines take a step together, and the model gets their prompts in one batch.

Each prompt comes with a draft, the target that the domain's policy would write. A model that can check drafts does so
faster than it decodes, and writes the same targets. While a model that computes elsewhere works on the prompts of one
half of the machines, the other half takes its steps; in which order, no timing decides.
"""

import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextvars import copy_context
from itertools import chain, islice, repeat
from typing import Any, NamedTuple

from coc_core.errors import StepFault
from coc_core.execution.executor import CACHE_BYTES, Executor
from coc_core.execution.machine import Machine
from coc_core.models import Model, Response, ResponseCache, call_each
from coc_core.text import parse_options, whole_from

MOST_MACHINES = 1 << 16
_Start = Callable[..., Any] | None
_Answers = Callable[[], list[Response]]
_Begun = dict[Hashable, tuple[_Answers, int]]
"""What waits for a call of a model, and a place in its responses, by prompt: one may be for several machines."""
_SWITCH_SECONDS = 1e-4  # so that the model's thread need not wait long for the interpreter between two short calls


class Waiting(NamedTuple):
    """A machine that waits for the target of its prompt."""

    machine: Machine
    prompt: str


class PolicyDrafts(Sequence[str]):
    """The targets of the policies, computed when a model reads them. A draft is empty if its policy fails."""

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
        except Exception:  # after a wrong target the policy may not know the instruction; the run continues
            return ""


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
        upcoming, most, begun, known = iter(machines), self.max_machines, _Begun(), ResponseCache[str](self.cache_bytes)
        if not (model.overlaps and model.deterministic):
            yield from filter(None, _rounds(upcoming, most, model, known, begun))
            return
        from concurrent.futures import ThreadPoolExecutor  # which most runs do without

        first = list(islice(upcoming, most))
        half = (len(first) + 1) // 2
        halves = (first[:half], (most + 1) // 2), (first[half:], most // 2)
        pool, interval = ThreadPoolExecutor(1), sys.getswitchinterval()
        lanes = deque(_rounds(chain(part, upcoming), size, model, known, begun, pool.submit) for part, size in halves)
        del first, halves  # so that a machine that has ended is released
        sys.setswitchinterval(_SWITCH_SECONDS)
        try:
            while lanes:
                lane = lanes.popleft()
                for machine in lane:
                    if machine is None:
                        lanes.append(lane)
                        break
                    yield machine
        finally:
            pool.shutdown(cancel_futures=True)
            sys.setswitchinterval(interval)


def configured(text: str) -> Lockstep:
    """The executor for `lockstep:machines=N`; UsageError if the option is malformed."""
    executor = Lockstep()
    for number in parse_options(text, {"machines": whole_from(1, MOST_MACHINES)}, "the executor lockstep").values():
        executor.max_machines = number
    return executor


def _rounds(
    upcoming: Iterator[Machine], size: int, model: Model, known: ResponseCache[str], begun: _Begun, start: _Start = None
) -> Iterator[Machine | None]:
    """Run so many machines at a time. Yields each that has ended, and None after each call has begun."""
    waiting, shared = list[Waiting](), model.deterministic
    while True:
        while len(waiting) < size and (machine := next(upcoming, None)) is not None:
            if (prompt := machine.run(known.get)) is None:
                yield machine
            else:
                waiting.append(Waiting(machine, prompt))
        if not waiting:
            return
        keys: list[Hashable] = [entry.prompt if shared else place for place, entry in enumerate(waiting)]
        new = dict[Hashable, Waiting]()
        for key, entry in zip(keys, waiting, strict=True):
            if key not in begun:
                new.setdefault(key, entry)
        called = list(new.values())
        if start:
            drafts = list(PolicyDrafts(called))  # a policy is not run in two threads at once
            answers: _Answers = start(copy_context().run, call_together, called, model, drafts).result
        else:
            answers = repeat(call_together(called, model)).__next__
        begun |= {key: (answers, place) for place, key in enumerate(new)}
        calls = [begun[key] for key in keys]
        yield None
        responses, before = [of_call()[place] for of_call, place in calls], waiting
        for key, response in zip(new, answers(), strict=True):
            del begun[key]
            if shared and isinstance(response, str):
                known.add(str(key), response)
        waiting = []
        for (machine, prompt), response in zip(before, responses, strict=True):
            if isinstance(response, StepFault):
                machine.fail(response, prompt)
            elif prompt not in known:  # otherwise it is the first of the steps that are taken now
                machine.step(response)
            if (following := machine.run(known.get)) is None:
                yield machine
            else:
                waiting.append(Waiting(machine, following))


def call_together(waiting: Sequence[Waiting], model: Model, drafts: Sequence[str] | None = None) -> list[Response]:
    """Call a model for some machines, by default with the drafts of their policies, which it may not look at."""
    prompts, drafts = [entry.prompt for entry in waiting], drafts or PolicyDrafts(waiting)
    if not waiting:
        return []
    return call_each(model, prompts, drafts, lambda first: waiting[first].machine.attributing_errors(model))
