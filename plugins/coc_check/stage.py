"""Where a part is tried: settings of the installed parts, and small problems that the domains' policies solve.

What a domain gets wrong is found by the checks of domains. Here a problem that its policy does not solve is left out,
so that it does not count as an error of another part.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, product
from typing import Any

from attrs import evolve, frozen

from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec, Registry
from coc_core.setting import Setting
from coc_problems import policy_steps, validate

SIZES, SEEDS = 5, 2  # problems of the smallest sizes
LONGEST, MOST = 60, 1_000  # steps of a problem; of the first one, where none is as short as that
MEMORIES, ARITHMETICS = ("tape", "pda"), ("inline", "symbolic")  # the core's, with which any part is tried


@frozen
class Task:
    """A problem, and how the domain's policy solves it: the actions, and in how many steps of the loop."""

    problem: Any
    plan: tuple[Any, ...]
    steps: int


@frozen
class Stage:
    """A setting, and small problems of its domain, short ones first."""

    setting: Setting
    tasks: tuple[Task, ...]

    def __str__(self) -> str:
        setting = self.setting
        return f"{setting.domain.name} on {setting.memory.name} with {setting.arithmetic.name} arithmetic"

    def named(self, problem: Any) -> str:
        """Return which run this is, for a person."""
        return f"{self}: {self.setting.domain.problems.format(problem)}"


def stages(
    registry: Registry, memories: Iterable[str], ariths: Sequence[str], model: str | None = None
) -> Iterator[Stage]:
    """Yield one for each domain that can be run there; an arithmetic that calls a model calls `model`."""
    for memory, spec in product(memories, registry.specs(DomainSpec)):
        tasks = _tasks(registry, spec, memory)
        for arith in ariths if tasks else ():
            with suppress(UsageError):  # they don't go together, and say so
                setting = Setting.of(registry, spec.name, memory, arith, arith_model=model)
                count = setting.convention.count_steps
                yield Stage(setting, tuple(evolve(task, steps=count(task.steps)) for task in tasks))


def plain_stages(registry: Registry, *memories: str) -> Iterator[Stage]:
    """Yield those on these memories, by default the core's, with the core's arithmetics, each dialect once."""
    seen = set[str]()
    for stage in stages(registry, memories or MEMORIES, ARITHMETICS):
        if stage.setting.convention.dialect not in seen:
            seen.add(stage.setting.convention.dialect)
            yield stage


def _tasks(registry: Registry, spec: DomainSpec, memory: str) -> tuple[Task, ...]:
    """Return a few distinct small problems of a domain, solved by its policy on a memory; none if it can't be used."""
    try:
        domain = registry.make(spec, spec.factory_on(memory))
        drawn = (domain.problem(n, seed) for n in domain.sizes[:SIZES] for seed in range(SEEDS))
        problems = list({domain.problems.format(problem): problem for problem in drawn}.values())
        found = [task for problem in problems for task in _solved(domain, problem, LONGEST)]
        found += islice((task for problem in problems if not found for task in _solved(domain, problem, MOST)), 1)
    except Exception:  # whatever a broken domain raises
        return ()
    return tuple(sorted(found, key=lambda task: task.steps))


def _solved(domain: Any, problem: Any, most: int) -> Iterator[Task]:
    """Yield the problem with the policy's plan, if that solves it in at most so many steps."""
    steps = [step for _, step in islice(policy_steps(domain, problem), most + 1)]
    plan = tuple(emitted for step in steps for emitted in step.emits if emitted in domain.actions)
    if len(steps) <= most and validate(domain, problem, plan).verdict == "complete":
        yield Task(problem, plan, len(steps))
