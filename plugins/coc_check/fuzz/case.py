"""A case: all that a trial of an executor depends on, as plain data that can be printed; and the parts it names."""

import sys
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Literal, get_args

from attrs import evolve, field, frozen

from coc_check.scripted import ScriptedPolicy
from coc_core.domain import parse_problem
from coc_core.errors import NumericFault, UsageError
from coc_core.execution import Executor
from coc_core.models import Response, Sampler
from coc_core.plugin import ArithmeticSpec, DomainSpec, ExecutorSpec, MemorySpec, Registry
from coc_core.setting import Setting
from coc_core.types import Limits

Way = Literal["stop", "error", "listener", "model", "broken", "disk", "limit"]
"""How a recorded run is cut off.

    stop      it is asked to stop, as by one Ctrl-C, and ends after the step under way
    error     a listener raises an ordinary exception when it is notified of a step
    listener  a listener raises KeyboardInterrupt when it is notified of a step
    model     the model raises KeyboardInterrupt when it is called
    broken    the model raises an ordinary exception when it is called
    disk      the disk refuses when a step is to be written
    limit     the run comes to a limit on its steps, which is raised later
"""

WAYS: tuple[Way, ...] = get_args(Way)

MOST_STEPS = 64
MOST_WINDOWS = 40

Text = str | None
"""What a model writes; None where its arithmetic breaks down instead (NumericFault)."""


@frozen
class Cut:
    """A recorded run is cut off in this way once `at` steps were taken since it was begun or resumed.

    With the ways `model` and `broken`, once the model had `at` prompts. By then `kept` steps, at most `at`, are on
    disk; `stop`, `error` and `limit` lose none all the same.
    """

    way: Way
    at: int
    kept: int = 0


@frozen
class Case:
    """What an executor is tried on. The model is the reference, but for `responses`.

    With `cuts` the one problem is recorded in a run file, cut off, and resumed in a new process, as it were, until it
    ends.

    Attributes:
        responses: A model's responses to some prompts: when it comes first, again, ...; the last one for ever.
        used: Whether the same executor object has run the same problems before, with the reference model, once to the
            end and once until it was interrupted; then it also runs them once more.
        most_steps: The limit on the steps of a run.
        most_windows: The limit on the windows that wait, and on the records.
        count: How many runs there are at once: the problems in turn, again and again. 0 for one of each.
        stops: Runs that are asked to stop: the number of the run, counted from 0, and after which of its steps.
        silent: Whether nobody listens, so that steps may be skipped.
        unsure: Whether the model says that it is not deterministic, though it is.
        faulty_calls: How many calls with more than one prompt are NumericFaults, before the model responds to them.
        votes: Whether the model can be sampled and then is wrong once in eight times.
        sizes: Attributes of the executor, such as `max_machines`, which are these numbers.
    """

    executor: str
    domain: str
    memory: str
    arith: str
    problems: tuple[str, ...]
    responses: Mapping[str, tuple[Text, ...]] = field(factory=dict)
    cuts: tuple[Cut, ...] = ()
    used: bool = False
    most_steps: int = MOST_STEPS
    most_windows: int = MOST_WINDOWS
    count: int = 0
    stops: tuple[tuple[int, int], ...] = ()
    silent: bool = False
    unsure: bool = False
    faulty_calls: int = 0
    votes: bool = False
    sizes: Mapping[str, int] = field(factory=dict)

    @property
    def limits(self) -> Limits:
        """Caps that are low enough to be reached."""
        windows = self.most_windows
        return Limits(self.most_steps, 75 * windows, windows, windows_per_step=8, target_chars=600)

    @property
    def nondeterministic(self) -> bool:
        """Whether the model says that it may respond to a prompt in two ways."""
        return self.unsure or any(len(texts) > 1 for texts in self.responses.values())

    @property
    def runs(self) -> int:
        """How many runs there are at once."""
        return self.count or len(self.problems)


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


def setting_of(registry: Registry, case: Case, most_steps: int | None = None) -> Setting:
    """Return the setting of a case, by default with the case's own limit on the steps.

    An arithmetic that calls a model calls one that is right.
    """
    limits = case.limits if most_steps is None else evolve(case, most_steps=most_steps).limits
    model = "reference" if registry.find(ArithmeticSpec, case.arith).reference else None
    return Setting.of(registry, case.domain, case.memory, case.arith, limits, model)


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
