"""A domain under test: problems of it, and the reference model's runs of them in every setting."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from attrs import frozen

from coc_core.domain import Domain
from coc_core.errors import PluginError
from coc_core.execution import Cached, StepRecord
from coc_core.plugin import DomainSpec, Registry
from coc_core.setting import Setting
from coc_core.testing.check import require, trying
from coc_core.types import Limits, Step

MEMORIES = ("tape", "pda")
ARITHMETICS = ("inline", "symbolic")
SIZES = 6  # the smallest ones that the domain accepts
SEEDS = 4
LONGEST_RUN = 2_000  # steps
LIMITS = Limits(steps=20_000)  # of a run that is longer than the domain expects


@frozen
class Run:
    """A run of the reference model, which came to the goal: what it read, wrote and did, and the states between."""

    problem: Any
    steps: int
    prompts: tuple[str, ...]
    targets: tuple[str, ...]
    plan: tuple[Any, ...]
    states: tuple[Any, ...]


class Subject:
    """One installed domain. Problems and runs are made when they are first asked for.

    Problems come by size, so the first that shows something wrong is a small one.
    """

    def __init__(self, registry: Registry, name: str) -> None:
        self.spec = registry.find(DomainSpec, name)
        allowed = self.spec.memories
        self.settings = tuple(
            Setting.of(registry, name, memory, arith, LIMITS)
            for memory in MEMORIES
            if allowed is None or memory in allowed
            for arith in ARITHMETICS
        )
        if not self.settings:
            raise PluginError(f"{name} runs on none of {', '.join(MEMORIES)}, so it can't be checked")
        self.domain: Domain[Any, Any, Any, Any] = self.settings[0].domain
        self._problems: list[Any] = []
        self._runs: dict[tuple[int, str], Run] = {}

    @property
    def problems(self) -> list[Any]:
        """A few distinct problems of each of the smallest sizes, short enough to run."""
        if not self._problems:
            drawn = [self.domain.problem(n, seed) for n in self.domain.sizes[:SIZES] for seed in range(SEEDS)]
            distinct = {self.domain.problems.format(problem): problem for problem in drawn}
            self._problems = [problem for problem in distinct.values() if self._short(problem)]
            require(bool(self._problems), f"none of the sizes {self.domain.sizes[:SIZES]} is short enough to test")
        return self._problems

    def runs(self, setting: Setting | None = None) -> Iterator[Run]:
        """The runs of all problems in one setting, by default the first."""
        setting = setting or self.settings[0]
        for problem in self.problems:
            key = self.settings.index(setting), self.domain.problems.format(problem)
            if key not in self._runs:
                self._runs[key] = self.run(setting, problem)
            yield self._runs[key]

    def run(self, setting: Setting, problem: Any) -> Run:
        """The run of one problem; Nonconforming unless it is solved."""
        commits: list[StepRecord] = []
        where = self.named(problem, setting)
        with trying(where):
            (outcome,) = Cached().run([setting.machine(problem, [commits.append])], setting.model("reference"))
        require(outcome.status == "solved", f"it is {outcome.status} at step {outcome.steps}: {outcome.fault}", where)
        plan = tuple(action for record in commits for action in record.actions)
        return Run(
            problem,
            outcome.steps,
            tuple(record.prompt for record in commits),
            tuple(record.target for record in commits),
            plan,
            self.states(problem, plan),
        )

    def named(self, problem: Any, setting: Setting | None = None) -> str:
        """A problem, and where it is run, for a person."""
        text = self.domain.problems.format(problem)
        return f"{text} on {setting.memory.name} with {setting.arithmetic.name} arithmetic" if setting else text

    def states(self, problem: Any, plan: tuple[Any, ...]) -> tuple[Any, ...]:
        """The states that a legal plan goes through, first and last included."""
        states = [self.domain.initial(problem)]
        for action in plan:
            states.append(self.domain.apply(states[-1], action))
        return tuple(states)

    def instructions(self) -> Iterator[Any]:
        """Each instruction of the runs, as the policy made it, with repetitions."""
        convention = self.settings[0].convention
        for run in self.runs():
            yield self.domain.start(run.problem)
            for prompt in run.prompts:
                step = self.domain.expand(convention.parse_prompt(prompt)[0])
                yield from step.then
                yield from () if step.last is None else (step.last,)

    def steps(self) -> Iterator[Step[Any, Any]]:
        """What the policy does with each instruction of the runs."""
        convention = self.settings[0].convention
        for run in self.runs():
            for prompt in run.prompts:
                yield self.domain.expand(convention.parse_prompt(prompt)[0])

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
