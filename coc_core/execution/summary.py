"""The executor that composes what the model's targets do instead of running them step by step."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from typing import Any

from coc_core.domain import Domain, HasOperators
from coc_core.errors import ProtocolFault, StepFault
from coc_core.execution.cached import Cached
from coc_core.execution.executor import CACHE_BYTES, Executor, Waiting, of_all
from coc_core.execution.machine import Machine
from coc_core.execution.record import ProcedureSummary
from coc_core.memories import Convention
from coc_core.models import Model, Response, call_each


class Summaries:
    """The responses of a deterministic model to all prompts that it can be led to, and what they lead to.

    A prompt has no summary if what it leads to has no end or contains a target that is a fault, or if no state lets all
    of its actions be legal. The operators of all summaries need and set at most `max_values` values together.

    Attributes:
        responses: The response to each prompt.
        by_prompt: The summary of each prompt that has one.
    """

    max_batch = 128
    """The largest number of prompts in a model call."""

    def __init__(self, model: Model, max_prompts: int, max_values: int) -> None:
        self._model, self._max_prompts, self._max_values = model, max_prompts, max_values
        self.clear()

    def clear(self) -> None:
        """Drop everything."""
        self.responses: dict[str, Response] = {}
        self.by_prompt: dict[str, ProcedureSummary] = {}
        self._targets: dict[str, tuple[tuple[Any, ...], tuple[str, ...]]] = {}  # actions, and the prompts that follow
        self._visited: set[str] = set()
        self._characters = self._values = 0

    def explore(self, machines: Iterable[Machine]) -> None:
        """Call the model for the next prompts of the machines and for all that these lead to, and summarise them.

        If they become too many, some are left out, those of the first machine last.
        """
        queue = [Waiting(machine, prompt) for machine in machines if (prompt := machine.peek()) is not None]
        queue = list({waiting.prompt: waiting for waiting in queue if waiting.prompt not in self.responses}.values())
        queued, found = {waiting.prompt for waiting in queue}, list[Waiting]()
        while queue and not self.full:
            room = min(self.max_batch, self._max_prompts - len(self.responses))
            batch, queue = queue[:room], queue[room:]
            found += batch
            responses = call_each(self._model, *of_all(batch, self._model))
            with batch[0].machine.attributing_errors():
                for (machine, prompt), response in zip(batch, responses, strict=True):
                    self._keep(machine.convention, prompt, response)
            for machine, prompt in batch:
                _, following = self.leads_to(prompt)
                new = [each for each in following if each not in queued and each not in self.responses]
                queued.update(new)
                queue += [Waiting(machine, each) for each in dict.fromkeys(new)]
        self._summarise(found)

    def cycle(self, prompt: str) -> tuple[str, ...]:
        """Return the cycle of an endless run from `prompt`, which ends as it begins; empty if prompts were left out."""
        path: dict[str, None] = {}
        while prompt not in path:
            path[prompt] = None
            _, following = self.leads_to(prompt)
            endless = [each for each in following if each not in self.by_prompt]
            if not endless:
                return ()
            prompt = endless[0]
        prompts = list(path)
        return (*prompts[prompts.index(prompt) :], prompt)

    def leads_to(self, prompt: str) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        """Return the actions of a prompt's target and the prompts it leads to, in order; nothing for a fault."""
        return self._targets.get(prompt, ((), ()))

    @property
    def full(self) -> bool:
        """Whether there are so many prompts that no other is added."""
        return len(self.responses) >= self._max_prompts or self._characters >= CACHE_BYTES

    def _keep(self, convention: Convention[Any, Any], prompt: str, response: Response) -> None:
        """Keep the response to a prompt, and what it leads to if it is a target."""
        self.responses[prompt] = response
        self._characters += len(prompt)
        if isinstance(response, str):
            self._characters += len(response)
            with suppress(ProtocolFault):
                actions = convention.parse(response).actions
                self._targets[prompt] = actions, convention.certain_prompts(response)[::-1]

    def _summarise(self, found: list[Waiting]) -> None:
        """Compute the summaries of new prompts, those that a prompt leads to before its own."""
        for machine, first in found:
            if first in self._visited:
                continue
            with machine.attributing_errors():
                stack, entered = [first], list[str]()
                while stack:
                    prompt = stack[-1]
                    if entered and entered[-1] == prompt:  # what it leads to has been visited
                        stack.pop()
                        entered.pop()
                        self._add(machine.domain, prompt)
                    elif prompt in self._visited:
                        stack.pop()
                    else:
                        self._visited.add(prompt)
                        entered.append(prompt)
                        stack += self.leads_to(prompt)[1]

    def _add(self, domain: Domain[Any, Any, Any, Any], prompt: str) -> None:
        """Compute the summary of a prompt from those that it leads to, where it has one and there is room for it."""
        if prompt not in self._targets or self._values >= self._max_values or not isinstance(domain, HasOperators):
            return
        actions, following = self._targets[prompt]
        parts = [self.by_prompt[each] for each in following if each in self.by_prompt]
        if len(parts) == len(following):
            summary = ProcedureSummary.of(domain, actions, parts)
            if summary is not None:
                self.by_prompt[prompt] = summary
                self._values += len(summary.operator.needs) + len(summary.operator.sets)


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
        self._delegate, self.remarks = None if all(map(self.skips_steps_of, first)) else Cached(), ()
        run = self._skip if self._delegate is None else self._delegate._run
        return run(chain(first, remaining), model)

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
                    yield from Cached()._run([machine], model)

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
