"""Where cases take place: the settings that there are, and the parts of a case, made anew as often as needed."""

import sys
from collections.abc import Sequence
from itertools import product
from typing import Any

from attrs import evolve

from coc_check.fuzz.case import Case
from coc_check.scripted import ScriptedPolicy
from coc_core.domain import parse_problem
from coc_core.errors import NumericFault, UsageError
from coc_core.execution import Executor
from coc_core.models import Response, Sampler
from coc_core.plugin import ArithmeticSpec, DomainSpec, ExecutorSpec, MemorySpec, Registry
from coc_core.setting import Setting
from coc_core.types import Limits

_CALLS, _VOTES = 200, 20_000
"""For each step and problem, how many prompts an executor may call for, as it looks ahead, and how many votes."""


class Cutoff(KeyboardInterrupt):
    """A Ctrl-C that nobody pressed."""


class OutOfOrder(RuntimeError):
    """What a model raises that has a bug."""


class VotingPolicy(ScriptedPolicy, Sampler):
    """A scripted policy that can be sampled. The fourth of eight responses to a prompt that has no script is wrong."""

    name = "voting-policy"

    def _sample(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]:
        self.written += len(prompts)
        return [self._draw(prompt) for prompt in prompts]

    def _draw(self, prompt: str) -> Response:
        try:
            response = self._respond(prompt)
        except NumericFault as fault:
            return fault
        if self._seen[prompt] % 8 == 4 and prompt not in self.responses:
            response = response[:-1]
            self.pairs.add((prompt, response))
        return response


def places(
    registry: Registry, domain: str | None = None, memory: str | None = None, arith: str | None = None
) -> list[tuple[str, str, str]]:
    """Return every domain, memory and arithmetic that go together, of what is named or else of all there is.

    An arithmetic that calls a model is left out if it has no reference. UsageError or PluginError for a name that can't
    be had, UsageError if nothing is left.
    """
    domains = registry.specs(DomainSpec) if domain is None else [registry.find(DomainSpec, domain)]
    memories = registry.specs(MemorySpec) if memory is None else [registry.find(MemorySpec, memory)]
    ariths = registry.specs(ArithmeticSpec) if arith is None else [registry.find(ArithmeticSpec, arith)]
    found = [
        (one.name, other.name, third.name)
        for one, other, third in product(domains, memories, ariths)
        if one.memories is None or other.name in one.memories
        if third.dialect is None or third.reference is not None
    ]
    if not found:
        raise UsageError("no executor can be tried there", remedy="choose a domain and a memory that go together")
    return found


def setting_at(registry: Registry, place: tuple[str, str, str], limits: Limits) -> Setting:
    """Return the setting of a domain, a memory and an arithmetic, which calls a model that is right if it calls one."""
    model = "reference" if registry.find(ArithmeticSpec, place[-1]).reference else None
    return Setting.of(registry, *place, limits, model)


def setting_of(registry: Registry, case: Case, most_steps: int | None = None) -> Setting:
    """Return the setting of a case, by default with the case's own limit on the steps."""
    limits = case.limits if most_steps is None else evolve(case, most_steps=most_steps).limits
    return setting_at(registry, (case.domain, case.memory, case.arith), limits)


def problems_of(setting: Setting, case: Case) -> list[Any]:
    """Return the problems of a case, each once."""
    return [parse_problem(setting.domain, text) for text in case.problems]


def executor_of(registry: Registry, case: Case) -> Executor:
    """Return a new executor, with the sizes of the case."""
    executor: Executor = registry.create(ExecutorSpec, case.executor)
    for name, size in case.sizes.items():
        setattr(executor, name, size)
    return executor


def model_of(
    setting: Setting, case: Case, cut_at: int = sys.maxsize, raises: type[BaseException] = Cutoff
) -> ScriptedPolicy:
    """Return the model of a case, which has not been called yet. After `cut_at` prompts it raises something."""
    kind, most = (VotingPolicy, _VOTES) if case.votes and not case.nondeterministic else (ScriptedPolicy, _CALLS)
    most *= case.runs * (case.most_steps + 1)
    model = kind(setting.convention, case.responses, most, (raises(), cut_at), case.faulty_calls)
    model.deterministic = not case.nondeterministic
    return model
