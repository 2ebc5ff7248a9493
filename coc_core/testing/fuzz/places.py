"""The settings in which an executor is tried, as cases that have no problems yet."""

from coc_core.errors import UsageError
from coc_core.plugin import ArithmeticSpec, DomainSpec, ExecutorSpec, MemorySpec, Registry
from coc_core.setting import combinations
from coc_core.testing.fuzz.case import Case


def places(
    registry: Registry, executor: str, domain: str | None = None, memory: str | None = None, arith: str | None = None
) -> list[Case]:
    """Every setting that can be, of what is named or else of all there is.

    An arithmetic that asks a model is left out if it has no reference. UsageError or PluginError for a name that can't
    be had, UsageError if nothing is left.
    """
    registry.find(ExecutorSpec, executor)
    domains = registry.specs(DomainSpec) if domain is None else [registry.find(DomainSpec, domain)]
    memories = registry.specs(MemorySpec) if memory is None else [registry.find(MemorySpec, memory)]
    ariths = registry.specs(ArithmeticSpec) if arith is None else [registry.find(ArithmeticSpec, arith)]
    found = [
        Case(executor, one.name, other.name, third.name, ())
        for one in domains
        for other in memories
        if one.memories is None or other.name in one.memories
        for third in ariths
        if third.dialect is None or third.reference is not None
    ]
    if not found:
        raise UsageError("no executor can be tried there", remedy=f"what can:\n{combinations(registry)}")
    return found
