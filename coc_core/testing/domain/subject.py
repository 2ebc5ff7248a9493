"""A domain under test: problems of it, what its policy does, and the reference model's runs in every setting."""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

from attrs import frozen

from coc_core.domain import Domain, policy_steps
from coc_core.errors import PluginError
from coc_core.execution import Cached, StepRecord
from coc_core.plugin import DomainSpec, MemorySpec, Registry
from coc_core.setting import Setting
from coc_core.testing.check import require, trying
from coc_core.testing.stage import Subject, own_arithmetics, own_memories
from coc_core.types import Limits, Step

SIZES = 6  # the smallest ones that the domain accepts
SEEDS = 4
LONGEST_RUN = 2_000  # steps
LIMITS = Limits(steps=20_000)  # of a run that is longer than the domain expects


@frozen
class Run:
    """A run of the reference model, which came to the goal, and the states on its way."""

    problem: Any
    steps: int
    prompts: tuple[str, ...]
    targets: tuple[str, ...]
    plan: tuple[Any, ...]
    states: tuple[Any, ...]


class DomainSubject(Subject):
    """One installed domain. Problems and runs are made when they are first needed.

    Its settings are those of coc's own memories, and of the others for which it offers a policy of its own.
    Problems come by size, so the first that shows something wrong is a small one.
    """

    kind = DomainSpec

    def __init__(self, registry: Registry, name: str) -> None:
        super().__init__(registry, name)
        allowed, own = self.spec.memories, own_memories(registry)
        memories = [memory for memory in own if allowed is None or memory in allowed]
        installed = [spec.name for spec in registry.specs(MemorySpec)]
        others = [memory for memory in installed if allowed and memory in allowed]
        policies = [memory for memory, _ in self.spec.policies if memory in installed]
        self.settings = tuple(
            Setting.of(registry, name, memory, arith, LIMITS)
            for memory in dict.fromkeys((*(memories or others), *policies))
            for arith in own_arithmetics(registry)
        )
        if not self.settings:
            raise PluginError(f"{name} runs on none of {', '.join(own)}, so it can't be checked")
        self.domain: Domain[Any, Any, Any, Any] = self.settings[0].domain
        self._runs: dict[tuple[int, str], Run] = {}

    @cached_property
    def problems(self) -> list[Any]:
        """A few distinct problems of each of the smallest sizes, short enough to run."""
        drawn = [self.domain.problem(n, seed) for n in self.domain.sizes[:SIZES] for seed in range(SEEDS)]
        distinct = {self.domain.problems.format(problem): problem for problem in drawn}
        found = [problem for problem in distinct.values() if self._short(problem)]
        require(bool(found), f"none of the sizes {self.domain.sizes[:SIZES]} is short enough to test")
        return found

    def policy(self) -> Iterator[tuple[Any, Step[Any, Any]]]:
        """Each instruction that the policy meets on the way of each problem, as it made it, with what it does then."""
        for problem in self.problems:
            with trying(self.named(problem)):
                yield from islice(policy_steps(self.domain, problem), LONGEST_RUN)

    def instructions(self) -> Iterator[Any]:
        """Each instruction that the policy writes, with repetitions."""
        for instruction, step in self.policy():
            yield instruction
            yield from () if step.last is None else (step.last,)

    def runs(self, setting: Setting | None = None) -> Iterator[Run]:
        """The runs of all problems in one setting, by default the first."""
        setting = setting or self.settings[0]
        for problem in self.problems:
            key = self.settings.index(setting), self.domain.problems.format(problem)
            if key not in self._runs:
                self._runs[key] = self._run(setting, problem)
            yield self._runs[key]

    def _run(self, setting: Setting, problem: Any) -> Run:
        """The run of one problem; Nonconforming unless it is solved."""
        records: list[StepRecord] = []
        where = self.named(problem, setting)
        with trying(where):
            (outcome,) = Cached().run([setting.machine(problem, [records.append])], setting.model("reference"))
        require(outcome.status == "solved", f"it is {outcome.status} at step {outcome.steps}: {outcome.fault}", where)
        plan = tuple(action for record in records for action in record.actions)
        states = [self.domain.initial(problem)]
        for action in plan:
            states.append(self.domain.apply(states[-1], action))
        prompts, targets = (tuple(getattr(record, name) for record in records) for name in ("prompt", "target"))
        return Run(problem, outcome.steps, prompts, targets, plan, tuple(states))

    def named(self, problem: Any, setting: Setting | None = None) -> str:
        """A problem, and where it is run, for a person."""
        text = self.domain.problems.format(problem)
        return f"{text} on {setting.memory.name} with {setting.arithmetic.name} arithmetic" if setting else text

    def transitions(self) -> Iterator[tuple[Any, Any, Any]]:
        """Each (state, action, state after it) of the runs."""
        for run in self.runs():
            for (before, after), action in zip(pairwise(run.states), run.plan, strict=True):
                yield before, action, after

    def picture(self, state: Any) -> str:
        """What a state looks like with all the room it wants: two states differ physically if their pictures do."""
        return self.domain.render(state, 10_000)

    def _short(self, problem: Any) -> bool:
        expected = self.domain.expect(problem)
        return expected is None or expected.steps <= LONGEST_RUN
