"""Where a part is tried: settings of the installed parts, and small problems that the domains' policies solve.

What a domain gets wrong is found by the checks of domains. Here a problem that its policy does not solve is left out,
so that it does not count as an error of another part.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, product
from operator import itemgetter
from typing import Any

from attrs import frozen

from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec, Registry
from coc_core.setting import Setting
from coc_problems import policy_steps, validate

SIZES, SEEDS = 5, 2  # problems of the smallest sizes
LONGEST, MOST = 60, 1_000  # steps of a problem; of the first one, where none is as short as that
MEMORIES, ARITHMETICS = ("tape", "pda"), ("inline", "symbolic")  # the core's, with which any part is tried


@frozen
class Task:
    """A problem, and the actions with which the domain's policy solves it."""

    problem: Any
    plan: tuple[Any, ...]


@frozen
class Stage:
    """A setting, and small problems of its domain, those with few steps first."""

    setting: Setting
    tasks: tuple[Task, ...]

    def __str__(self) -> str:
        setting = self.setting
        return f"{setting.domain.name} on {setting.memory.name} with {setting.arithmetic.name} arithmetic"

    def named(self, problem: Any) -> str:
        """Return which run this is, for a person."""
        return f"{self}: {self.setting.domain.problems.format(problem)}"


def stages(
    registry: Registry,
    memories: Iterable[str] = MEMORIES,
    ariths: Sequence[str] = ARITHMETICS,
    model: str | None = None,
) -> Iterator[Stage]:
    """Yield one for each dialect of the domains that can be run there; `model` is what an arithmetic calls, if any."""
    seen = set[str]()
    for memory, spec in product(memories, registry.specs(DomainSpec)):
        tasks = _tasks(registry, spec, memory)
        for arith in ariths if tasks else ():
            with suppress(UsageError):  # they don't go together, and say so
                setting = Setting.of(registry, spec.name, memory, arith, arith_model=model)
                if setting.convention.dialect not in seen:
                    seen.add(setting.convention.dialect)
                    yield Stage(setting, tasks)


def _tasks(registry: Registry, spec: DomainSpec, memory: str) -> tuple[Task, ...]:
    """Return a few distinct small problems of a domain, solved by its policy on a memory; none if it can't be used."""
    found = dict[str, tuple[int, Task]]()
    with suppress(Exception):  # whatever a broken domain raises
        domain = registry.make(spec, spec.factory_on(memory))
        drawn = (domain.problem(n, seed) for n in domain.sizes[:SIZES] for seed in range(SEEDS))
        problems = {domain.problems.format(problem): problem for problem in drawn}
        for most, (text, problem) in product((LONGEST, MOST), problems.items()):
            steps = [
                step for _, step in islice(policy_steps(domain, problem), 0 if found and most == MOST else most + 1)
            ]
            plan = tuple(emitted for step in steps for emitted in step.emits if emitted in domain.actions)
            if 0 < len(steps) <= most and validate(domain, problem, plan).verdict == "complete":
                found[text] = len(steps), Task(problem, plan)
    return tuple(task for _, task in sorted(found.values(), key=itemgetter(0)))
