"""The executor for many problems: all machines take a step together, and the model gets their prompts in one batch.

Each prompt comes with a draft, the target that the domain's policy would write. A model that can check drafts does so
faster than it decodes, and writes the same targets. While a model that computes elsewhere works on the prompts of one
half of the machines, the other half takes its steps; in which order, no timing decides.
"""

import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

from coc_core.errors import StepFault
from coc_core.execution.executor import CACHE_BYTES, Executor
from coc_core.execution.machine import Machine
from coc_core.models import Model, Response, ResponseCache, call_each
from coc_core.text import parse_options, whole_from

MOST_MACHINES = 1 << 16
_SWITCH_SECONDS = 1e-4


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
        upcoming, known, most = iter(machines), ResponseCache[str](self.cache_bytes), self.max_machines
        if not (model.overlaps and model.deterministic):
            yield from (ended for ended in _steps(upcoming, most, _Calls(model, known)) if ended)
            return
        first = list(islice(upcoming, most))
        half = (len(first) + 1) // 2
        with _model_thread() as pool:
            calls = _Calls(model, known, pool)
            halves = (first[:half], (most + 1) // 2), (first[half:], most // 2)
            lanes = deque(_steps(chain(part, upcoming), size, calls) for part, size in halves)
            del first, halves  # a machine that has ended is released
            while lanes:
                lane = lanes.popleft()
                for ended in lane:
                    if ended is None:
                        lanes.append(lane)
                        break
                    yield ended


def configured(text: str) -> Lockstep:
    """The executor for `lockstep:machines=N`; UsageError if the option is malformed."""
    executor = Lockstep()
    for number in parse_options(text, {"machines": whole_from(1, MOST_MACHINES)}, "the executor lockstep").values():
        executor.max_machines = number
    return executor


class _Round(NamedTuple):
    """A call of the model, which may be under way."""

    prompts: Collection[str]
    responses: Callable[[], list[Response]]

    def found(self) -> dict[str, Response]:
        return dict(zip(self.prompts, self.responses(), strict=True))


_NONE = _Round((), list)


class _Calls:
    """Calls of a model. A deterministic one is called once for each distinct prompt.

    Args:
        model: The model.
        known: Its responses, if it is deterministic.
        pool: Where it is called while the caller goes on; by default in the caller's thread.
    """

    def __init__(self, model: Model, known: ResponseCache[str], pool: ThreadPoolExecutor | None = None) -> None:
        self._model, self.known, self._pool, self._latest = model, known, pool, _NONE

    def begin(self, waiting: Sequence[Waiting]) -> Callable[[], list[Response]]:
        """Call the model for each prompt; gives what waits for the responses and adds them to those that are known."""
        if not self._model.deterministic:
            return partial(_call, waiting, self._model, PolicyDrafts(waiting))
        before, distinct = self._latest, dict[str, Waiting]()
        for entry in waiting:
            if entry.prompt not in before.prompts:  # where other machines wait for the same response
                distinct.setdefault(entry.prompt, entry)
        entries = list(distinct.values())
        if self._pool is None:
            made = partial(_call, entries, self._model, PolicyDrafts(entries))
        else:
            drafts = list(PolicyDrafts(entries))  # a policy is not run in two threads at once
            made = self._pool.submit(copy_context().run, _call, entries, self._model, drafts).result
        self._latest = own = _Round(distinct, made)

        def responses() -> list[Response]:
            found = own.found()
            for prompt, response in found.items():
                if isinstance(response, str):
                    self.known.add(prompt, response)
            if self._latest is own:
                self._latest = _NONE
            found |= before.found() if len(found) < len(waiting) else {}
            return [found[entry.prompt] for entry in waiting]

        return responses


def _steps(upcoming: Iterator[Machine], size: int, calls: _Calls) -> Iterator[Machine | None]:
    """Take the steps of so many machines at a time. Yields each that has ended, and None after each call has begun."""
    waiting, known = list[Waiting](), calls.known
    while True:
        while len(waiting) < size and (machine := next(upcoming, None)) is not None:
            prompt = machine.run(known.get)
            if prompt is None:
                yield machine
            else:
                waiting.append(Waiting(machine, prompt))
        if not waiting:
            return
        responses, remaining = calls.begin(waiting), list[Waiting]()
        yield None
        for (machine, prompt), response in zip(waiting, responses(), strict=True):
            if isinstance(response, StepFault):
                machine.fail(response, prompt)
            elif prompt not in known:  # otherwise it is the first of the steps that are taken now
                machine.step(response)
            following = machine.run(known.get)
            if following is None:
                yield machine
            else:
                remaining.append(Waiting(machine, following))
        waiting = remaining


def _call(waiting: Sequence[Waiting], model: Model, drafts: Sequence[str]) -> list[Response]:
    if not waiting:
        return []
    return call_each(
        model,
        [entry.prompt for entry in waiting],
        drafts,
        lambda first: waiting[first].machine.attributing_errors(model),
    )


@contextmanager
def _model_thread() -> Iterator[ThreadPoolExecutor]:
    """One thread, which need not wait long for the interpreter between two short calls to the model's device."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    pool = ThreadPoolExecutor(1)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
        sys.setswitchinterval(interval)
