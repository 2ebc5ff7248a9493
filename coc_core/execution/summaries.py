"""The summaries of all prompts that a model can be led to: each called once, then computed from the bottom up."""

from collections.abc import Iterable
from typing import Any

from coc_core.domain import Domain, HasOperators
from coc_core.errors import ProtocolFault
from coc_core.execution.executor import CACHE_BYTES
from coc_core.execution.lockstep import Waiting, call_together
from coc_core.execution.machine import Machine
from coc_core.execution.record import ProcedureSummary
from coc_core.models import Model, Response


class Summaries:
    """The responses of a deterministic model, and what they lead to.

    A prompt has no summary if what it leads to has no end or contains a target that is a fault, or if no state lets all
    of its actions be legal.

    Args:
        model: The model.
        max_prompts: The largest number of prompts.
        max_values: The largest number of values that all operators need and set together.

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
            self._call(batch)
            found += batch
            for machine, prompt in batch:
                _, following = self.leads_to(prompt)
                new = [each for each in following if each not in queued and each not in self.responses]
                queued.update(new)
                queue += [Waiting(machine, each) for each in dict.fromkeys(new)]
        self._summarise(found)

    def cycle(self, prompt: str) -> tuple[str, ...]:
        """The prompts that a run without end leads to again and again, from `prompt` on; the last is the first again.

        Empty if they are not known, because there are too many prompts.
        """
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
        """The actions of a prompt's target, and the prompts that it leads to, in order; nothing if it is a fault."""
        return self._targets.get(prompt, ((), ()))

    @property
    def full(self) -> bool:
        """Whether there are so many prompts that no other is added."""
        return len(self.responses) >= self._max_prompts or self._characters >= CACHE_BYTES

    def _call(self, batch: list[Waiting]) -> None:
        """Call the model for prompts that are not known."""
        responses = call_together(batch, self._model)
        with batch[0].machine.attributing_errors():
            for (machine, prompt), response in zip(batch, responses, strict=True):
                self.responses[prompt] = response
                self._characters += len(prompt)
                if isinstance(response, str):
                    self._characters += len(response)
                    convention = machine.convention
                    try:
                        actions = convention.parse(response).actions
                    except ProtocolFault:
                        continue
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
